/**
 * Answers to calls of tools, given again to the same question with another id.
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
  /** what decides on the answer besides the message, as long as it is the same object; null where more does */
  source: object | null;
  message: object;
  /** characters of the message as it came: a long one may nest too deeply to be written again */
  length: number;
  id: string | number | null;
  /** all of those that the answer depends on */
  headers: Readonly<Record<string, string>>;
};

/** Bytes kept for one source. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Characters of a message. */
const LONGEST_MESSAGE = 4_096;

/** The result as JSON, under its question; or a whole answer, under the question and its id. */
type Kept = { headers: Answer["headers"]; body: Buffer<ArrayBuffer> };

type Message = { jsonrpc: string; result?: { isError?: boolean } };

/** Keeps answers for as long as their source lives. */
export function createKeptCalls() {
  const kept = new WeakMap<object, LRUCache<string, Kept>>();
  return {
    /** The answer to a call: what `make` has answered to the same question, or answers now. Errors are not kept. */
    async answer(
      { source, message, length, id, headers }: Call,
      make: () => Promise<Answer>,
    ): Promise<Answer> {
      // The library refuses other numbers as an id.
      const isId = typeof id === "string" || Number.isSafeInteger(id);
      if (source === null || !isId || length > LONGEST_MESSAGE) return make();
      const question = JSON.stringify([headers, { ...message, id: undefined }]);
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

function sizeOf({ body }: Kept, question: string): number {
  return body.length + 2 * question.length;
}
