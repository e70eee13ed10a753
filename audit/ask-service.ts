/**
 * An audit by a running service of its own tables: the way for the embedded database, which has one owner.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Audit, type AuditorState, auditorSchema } from "../api/health/audit.ts";
import { failed, type OnProgress } from "./audit.ts";

/** Milliseconds between two looks. */
const INTERVAL = 200;
/** How long an audit may take, in milliseconds. */
const PATIENCE = 30 * 60_000;

/**
 * Asks for an audit and waits for it. Never rejects.
 * @param url of the service's operator port
 */
export async function askService(url: string, onProgress: OnProgress): Promise<Audit> {
  const deadline = performance.now() + PATIENCE;
  let answer = await ask(url, "POST");
  while (performance.now() < deadline) {
    if (typeof answer === "string") return failed(answer);
    const { running, last } = answer;
    if (running === null) return last ?? failed(`${url} ended its audit without a result.`);
    onProgress(running.done, running.total);
    await sleep(INTERVAL);
    answer = await ask(url, "GET");
  }
  return failed(`${url} has not ended its audit within ${PATIENCE / 60_000} minutes.`);
}

/** The state of the service's auditor, or why it cannot be told. */
async function ask(url: string, method: "GET" | "POST"): Promise<AuditorState | string> {
  let response: Response;
  try {
    response = await fetch(`${url}/audit`, { method, signal: AbortSignal.timeout(30_000) });
  } catch {
    return `Nobody answers at ${url}: is the service running there? --url names another place.`;
  }
  const body: unknown = await response.json().catch(() => null);
  const parsed = auditorSchema.safeParse(body);
  if (response.ok && parsed.success) return parsed.data;
  return `${url}/audit answers ${response.status}: --url takes the operator's address, http://127.0.0.1 and OPERATOR_PORT.`;
}
