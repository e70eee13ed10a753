/** @module Lets a running service audit its own tables: the only way with the embedded database, which has a single owner. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Audit, type AuditorState, auditorSchema } from "../../api/health/audit.ts";
import { failed, type OnProgress } from "./audit.ts";

/** Milliseconds between polls. */
const INTERVAL = 200;
/** Milliseconds that an audit may take. */
const TIMEOUT = 30 * 60_000;

/**
 * Requests an audit and waits for its result. Never rejects.
 * @param url of the service's operator port
 */
export async function askService(url: string, onProgress: OnProgress): Promise<Audit> {
  const deadline = performance.now() + TIMEOUT;
  let answer = await ask(url, "POST");
  while (performance.now() < deadline) {
    if (typeof answer === "string") return failed(answer);
    const { running, last } = answer;
    if (running === null) return last ?? failed(`The audit at ${url} ended without a result.`);
    onProgress(running.done, running.total);
    await sleep(INTERVAL);
    answer = await ask(url, "GET");
  }
  return failed(`The audit at ${url} has not ended within ${TIMEOUT / 60_000} minutes.`);
}

/** The state of the service's auditor, or the reason why it is unavailable. */
async function ask(url: string, method: "GET" | "POST"): Promise<AuditorState | string> {
  let response: Response;
  try {
    response = await fetch(`${url}/audit`, { method, signal: AbortSignal.timeout(30_000) });
  } catch {
    return `No answer from ${url}: is the service running there? --url names another address.`;
  }
  const body: unknown = await response.json().catch(() => null);
  const parsed = auditorSchema.safeParse(body);
  if (response.ok && parsed.success) return parsed.data;
  return `${url}/audit answers ${response.status}: --url takes the operator's address, http://127.0.0.1 and OPERATOR_PORT.`;
}
