/** @module The rules for every answer of the GraphQL endpoint: data, or errors that each have a code and words. */
import type { ReadAnswer } from "../validate.ts";
import { fail, isTypeOf, judgeWords } from "./judge.ts";

const LONGEST_MESSAGE = 1_000;
const MOST_ERRORS = 200;

type Result = { data?: unknown; errors?: { message?: unknown; extensions?: { code?: unknown } }[] };

/** Throws when an answer is neither a problem, nor data, nor errors that each have a code and words. */
export function judgeGraphql(answer: ReadAnswer): void {
  const { status, text } = answer;
  if (![200, 204, 304, 308, 400, 404, 405, 406, 413, 414, 415, 503].includes(status))
    fail(answer, "an odd status");
  if (text === "" || isTypeOf(answer, "application/problem+json")) return;
  // The description for requests without a query. Browsers are led to a page.
  if (isTypeOf(answer, "text/plain") && status === 200) return;
  if (!isTypeOf(answer, "application/json") && !isTypeOf(answer, "application/graphql-response+json")) {
    fail(answer, "another type than JSON");
  }
  const { data, errors } = JSON.parse(text) as Result;
  if (errors === undefined) {
    if (data === undefined || data === null || status !== 200) fail(answer, "neither data nor errors");
    return;
  }
  if (errors.length === 0 || errors.length > MOST_ERRORS) fail(answer, `${errors.length} errors`);
  for (const { message, extensions } of errors) {
    if (typeof extensions?.code !== "string" || !/^[A-Z]+(_[A-Z]+)*$/.test(extensions.code))
      fail(answer, "an error without a code");
    if (extensions?.code === "INTERNAL_SERVER_ERROR") fail(answer, "a failure inside");
    if (typeof message !== "string" || message.trim() === "") fail(answer, "an error without words");
    else if (message.length > LONGEST_MESSAGE) fail(answer, `an error of ${message.length} characters`);
  }
  judgeWords(answer, JSON.stringify(errors));
}
