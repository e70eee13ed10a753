/** @module One attempt to deliver a message: signed, to a permitted address, without following redirects. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { finished } from "node:stream/promises";
import { Webhook } from "standardwebhooks";
import { retryAfterOf } from "../../client/problem.ts";
import packageJson from "../../package.json" with { type: "json" };
import { AddressRefusedError, literalAddress, lookupOf, permittedAddresses } from "./addresses.ts";
import type { Sending } from "./message.ts";
import type { Target } from "./targets.ts";

export type Outcome =
  /** 2xx */
  | { readonly kind: "taken" }
  /** 410: the receiver wants no more messages */
  | { readonly kind: "gone" }
  /** `reason` contains no secrets; `retryAfter` in milliseconds, null if not requested */
  | { readonly kind: "refused"; readonly reason: string; readonly retryAfter: number | null };

export type Send = (message: Pick<Sending, "id" | "body">) => Promise<Outcome>;

/** Milliseconds for the whole of an attempt. */
const TIMEOUT = 20_000;
/** Maximum size of a response body, which is read and dropped. A longer one counts as endless. */
const MOST_BYTES = 1_048_576;
const SWITCHING_PROTOCOLS = 101;

/** The headers of an attempt. @param now milliseconds: the time of this attempt, by the machine's clock */
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

/** After a 410 nothing more is sent. @param timeout milliseconds for a whole attempt */
export function createSender(
  target: Pick<Target, "url" | "secrets" | "privateNetworks">,
  timeout = TIMEOUT,
): Send {
  const url = new URL(target.url);
  const mayConnect = permittedAddresses(url, target.privateNetworks);
  const literal = literalAddress(url);
  // Its own agents: shared ones may use a proxy, which resolves names itself.
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
      // An IP address involves no lookup.
      if (literal !== null && !mayConnect(literal)) throw new AddressRefusedError();
      const bytes = Buffer.from(body);
      const headers = { ...headersOf({ id, body }, target.secrets, now), "Content-Length": bytes.length };
      const sent = request(url, { method: "POST", agent, lookup, signal, headers });
      const answered = answerTo(sent, signal);
      sent.end(bytes);
      const response = await answered;
      const isSwitched = response.statusCode === SWITCHING_PROTOCOLS;
      // Without a protocol Node would keep the connection open until the timeout.
      if (isSwitched) response.destroy();
      const hasEnd = isSwitched || (await passOver(response, signal));
      const outcome = hasEnd ? outcomeOf(response, now) : endless(response);
      isGone = outcome.kind === "gone";
      return outcome;
    } catch (error) {
      return { kind: "refused", reason: reasonOf(error, signal, timeout), retryAfter: null };
    }
  };
}

/**
 * The answer, even one that switches protocols: Node reports that as another event and then closes the connection without an error.
 * Rejects if the connection ends or the signal comes first.
 */
function answerTo(sent: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on("response", resolve);
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    sent.on("error", reject);
    sent.on("close", () => reject(new Error("the connection was closed")));
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Drops the body, which may be cut off. @returns false if it does not end */
async function passOver(response: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BYTES) response.destroy();
  });
  await finished(response, { signal }).catch(() => {});
  return size <= MOST_BYTES && !signal.aborted;
}

function endless({ statusCode }: IncomingMessage): Outcome {
  return { kind: "refused", reason: `${statusCode}, with a body that does not end`, retryAfter: null };
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, now: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: "taken" };
  if (statusCode === 410) return { kind: "gone" };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const reason = isRedirect ? `${statusCode}: redirects are not followed` : `${statusCode}`;
  return { kind: "refused", reason, retryAfter: retryAfterOf(headers["retry-after"] ?? null, now) };
}

/** Uses only the error's code: messages contain addresses, and some of them what was sent. */
function reasonOf(error: unknown, signal: AbortSignal, timeout: number): string {
  if (error instanceof AddressRefusedError) return error.message;
  if (signal.aborted) return `no answer within ${timeout / 1_000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `no answer (${code})` : "no answer";
}

/** Milliseconds. The pause doubles from the first to the longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 3_600_000;
/** The longest pause that a receiver may ask for. */
const LONGEST_RETRY_AFTER = 86_400_000;

/**
 * Milliseconds until the next attempt: at least half of the doubled pause, randomised so that messages that failed together are not
 * retried together, and never less than the receiver has asked for.
 * @param failures of this message so far, 1 or more
 * @param retryAfter milliseconds that the receiver asked for, or null
 * @param random from 0 to 1
 */
export function pauseAfter(failures: number, retryAfter: number | null, random = Math.random()): number {
  const doubled = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER);
  return Math.max(Math.round(doubled * (0.5 + random / 2)), asked);
}
