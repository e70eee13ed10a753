/**
 * Cached answers to tool calls, reused for the same question with another id.
 * @module
 */
import type { StatusCode } from "hono/utils/http-status";
import { LRUCache } from "lru-cache";

export type Answer = {
  status: StatusCode;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
};

export type Call = {
  /** identity of the answer's source: the answer depends on it and the message alone; null when it depends on more */
  source: object | null;
  /** the message as sent */
  text: string;
  id: string | number | null;
  /** all headers that the answer depends on */
  headers: Readonly<Record<string, string>>;
};

/** Bytes kept for one source. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Characters of a question. */
const LONGEST_QUESTION = 4_096;

/** An id in a message, as almost every client writes it. */
const ID = /"id": ?(\d{1,15}|"[^"\\]{1,100}")/;

/** An answer without the id, which the library writes last; or a whole answer, keyed by the question with its id. */
type Kept = { headers: Answer["headers"]; body: Buffer<ArrayBuffer> };

type Message = { jsonrpc: string; result?: { isError?: boolean } };

/** Keeps answers for as long as their source lives. */
export function createKeptCalls() {
  const kept = new WeakMap<object, LRUCache<string, Kept>>();
  return {
    /** The answer to a call: what `make` has answered to the same question, or answers now. Errors are not kept. */
    async answer(call: Call, make: () => Promise<Answer>): Promise<Answer> {
      const { source, id } = call;
      const question = questionOf(call);
      if (source === null || question === null) return make();
      const end = Buffer.from(`"id":${JSON.stringify(id)}}`);
      const known = kept.get(source);
      // Clients count their messages: ids recur, and a copy of a long answer costs as much as the rest of a call.
      const withId = `${question}\0${JSON.stringify(id)}`;
      const whole = known?.get(withId);
      if (whole !== undefined) return { status: 200, ...whole };
      const result = known?.get(question);
      if (result !== undefined) {
        const body = Buffer.from(`{"result":${result.body},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
        const finished = { headers: result.headers, body };
        known?.set(withId, finished);
        return { status: 200, ...finished };
      }
      const answer = await make();
      if (answer.status !== 200 || typeof answer.body !== "string") return answer;
      const made: Message = JSON.parse(answer.body);
      if (made.result === undefined || made.result.isError === true) return answer;
      const answers = kept.get(source) ?? new LRUCache({ maxSize: MOST_BYTES, sizeCalculation: sizeOf });
      kept.set(source, answers);
      answers.set(question, { headers: answer.headers, body: Buffer.from(JSON.stringify(made.result)) });
      return answer;
    },
  };
}

/** A call without its id; null for a long message, and for one whose id is not found. */
function questionOf({ text, id, headers }: Call): string | null {
  if (text.length > LONGEST_MESSAGE) return null;
  const found = ID.exec(text);
  // Messages that are equal outside of this place differ only in the id.
  if (found?.[1] === undefined || JSON.parse(found[1]) !== id) return null;
  const around = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  return [...Object.entries(headers).flat(), ...around].join("\0");
}

function sizeOf({ body }: Kept, question: string): number {
  return body.length + 2 * question.length;
}
