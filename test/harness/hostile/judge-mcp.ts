/** @module The rules for every answer of the tool endpoint: JSON-RPC 2.0, and one sentence of advice where a model can correct the call. */
import type { ReadAnswer } from "../validate.ts";
import { fail, isTypeOf, judgeWords } from "./judge.ts";
import type { HostileCase } from "./request.ts";

const LONGEST_MESSAGE = 1_000;
const INTERNAL_ERROR = -32_603;

type JsonRpc = {
  jsonrpc?: unknown;
  id?: unknown;
  error?: { code?: unknown; message?: unknown; data?: unknown };
  result?: { isError?: boolean; content?: { type: string; text: string }[]; structuredContent?: unknown };
};

/** Throws when an answer with a body is not JSON-RPC, or tells the caller nothing that it can go on with. */
export function judgeMcp(answer: ReadAnswer, { body: sent, method }: HostileCase): void {
  const { status, text } = answer;
  if (![200, 202, 204, 400, 403, 404, 405, 406, 413, 414, 415].includes(status))
    fail(answer, "an odd status");
  if (text === "" || isTypeOf(answer, "application/problem+json")) return;
  if (isTypeOf(answer, "text/plain") && status === 200 && method.toUpperCase() === "GET") return;
  if (!isTypeOf(answer, "application/json")) fail(answer, "another type than JSON");
  const { jsonrpc, id, error, result } = JSON.parse(text) as JsonRpc;
  if (jsonrpc !== "2.0" || (error === undefined) === (result === undefined)) fail(answer, "no JSON-RPC");
  if (id !== undefined && id !== null && !JSON.stringify(sentIdOf(sent)).includes(JSON.stringify(id)))
    fail(answer, "another id");
  if (error !== undefined) {
    if (!Number.isInteger(error.code)) fail(answer, "an error without a code");
    if (error.code === INTERNAL_ERROR) fail(answer, "a failure inside");
    judgeSentence(answer, error.message);
    judgeWords(answer, JSON.stringify(error));
  }
  if (result?.isError === true) {
    if (result.structuredContent !== undefined) fail(answer, "facts in an error");
    if (result.content?.length !== 1) fail(answer, "no advice");
    judgeSentence(answer, result.content?.[0]?.text);
    judgeWords(answer, JSON.stringify(result));
    if (/went wrong inside/.test(text)) fail(answer, "a failure inside");
  }
}

function judgeSentence(answer: ReadAnswer, sentence: unknown): void {
  if (typeof sentence !== "string" || sentence.trim() === "") fail(answer, "no words");
  else if (/^\s*[[{]/.test(sentence)) fail(answer, "the dump of a validator instead of words");
  else if (sentence.length > LONGEST_MESSAGE) fail(answer, `words of ${sentence.length} characters`);
}

function sentIdOf(body: string | Buffer | undefined): unknown {
  try {
    return (JSON.parse(String(body)) as { id?: unknown }).id ?? null;
  } catch {
    return null;
  }
}
