/** @module Asks the app for what a claim on the REST interface says. */
import { expect } from "vitest";
import { appIn, type Situation } from "../harness/app.ts";
import { asking } from "../harness/asking.ts";
import type { ReadAnswer } from "../harness/validate.ts";

/** Asks an app that is well, but for what `situation` says. */
export async function ask(
  path: string,
  init: RequestInit = {},
  situation: Situation = {},
): Promise<ReadAnswer> {
  return asking(await appIn(situation))(path, init);
}
/** The body of an answer that is 200. */
export async function read(path: string) {
  const { status, text } = await ask(path);
  expect(status, path).toBe(200);
  return JSON.parse(text);
}
/** Asks for an error, whose code has its status, and which says what the page promises. */
export async function fails(
  status: number,
  code: string,
  path: string,
  init?: RequestInit,
  situation?: Situation,
) {
  const answer = await ask(path, init, situation);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
  const problem = JSON.parse(answer.text);
  expect(problem).toMatchObject({ code, detail: expect.any(String), requestId: expect.any(String) });
  expect(answer.headers.has("retry-after")).toBe(status === 429 || status === 503);
  return problem;
}
