/**
 * One attempt to deliver a message: signed, to a permitted address, without following redirects.
 * @module
 */
import { once } from "node:events";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { finished } from "node:stream/promises";
import { Webhook } from "standardwebhooks";
import packageJson from "../package.json" with { type: "json" };
import { AddressRefusedError, literalAddress, lookupOf, permittedAddresses } from "./addresses.ts";
import { retryAfterOf } from "./backoff.ts";
import type { Sending } from "./message.ts";
import type { Target } from "./targets.ts";

export type Outcome =
  /** 2xx */
  | { readonly kind: "taken" }
  /** 410: the receiver wants no more */
  | { readonly kind: "gone" }
  /** `reason` has nothing secret in it; `retryAfter` in milliseconds, null: not asked for */
  | { readonly kind: "refused"; readonly reason: string; readonly retryAfter: number | null };

export type Send = (message: Pick<Sending, "id" | "body">) => Promise<Outcome>;

/** Milliseconds for the whole of an attempt. */
const TIMEOUT = 20_000;
/** What a receiver says is not read; beyond this its connection is ended. */
const MOST_BYTES = 65_536;

/** The headers of an attempt. @param now milliseconds: the attempt's own time, by the machine's clock */
export function headersOf(
  { id, body }: Pick<Sending, "id" | "body">,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const time = new Date(now);
  return {
    "Content-Type": "application/json",
    "User-Agent": `raisebook/${packageJson.version}`,
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(" "),
  };
}

/** After a 410 nothing is sent any more. @param timeout milliseconds for the whole of an attempt */
export function createSender(
  target: Pick<Target, "url" | "secrets" | "privateNetworks">,
  timeout = TIMEOUT,
): Send {
  const url = new URL(target.url);
  const mayConnect = permittedAddresses(url, target.privateNetworks);
  const literal = literalAddress(url);
  // Agents of its own: those that the process shares may go through a proxy, which looks up names itself.
  const isTls = url.protocol === "https:";
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const request = isTls ? httpsRequest : httpRequest;
  const lookup = lookupOf(mayConnect);
  let isGone = false;
  return async ({ id, body }) => {
    if (isGone) return { kind: "gone" };
    const now = Date.now();
    const signal = AbortSignal.timeout(timeout);
    try {
      // Nothing is looked up of an address.
      if (literal !== null && !mayConnect(literal)) throw new AddressRefusedError();
      const bytes = Buffer.from(body);
      const headers = { ...headersOf({ id, body }, target.secrets, now), "Content-Length": bytes.length };
      const sent = request(url, { method: "POST", agent, lookup, signal, headers });
      sent.on("error", () => {});
      sent.end(bytes);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      await passOver(response);
      const outcome = outcomeOf(response, now);
      isGone = outcome.kind === "gone";
      return outcome;
    } catch (error) {
      return { kind: "refused", reason: reasonOf(error, signal, timeout), retryAfter: null };
    }
  };
}

/** The status has said all: what comes after it may be long, slow or cut off. */
async function passOver(response: IncomingMessage): Promise<void> {
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BYTES) response.destroy();
  });
  await finished(response).catch(() => {});
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, now: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: "taken" };
  if (statusCode === 410) return { kind: "gone" };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const reason = isRedirect ? `${statusCode}: redirects are not followed` : `${statusCode}`;
  return { kind: "refused", reason, retryAfter: retryAfterOf(headers["retry-after"], now) };
}

/** By its code alone: messages name addresses, and some of them what was sent. */
function reasonOf(error: unknown, signal: AbortSignal, timeout: number): string {
  if (error instanceof AddressRefusedError) return error.message;
  if (signal.aborted) return `no answer within ${timeout / 1_000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `no answer (${code})` : "no answer";
}
