/** @module Fetches what an operator has configured by URL, such as the registry and a ledger file. */
import { basicCredentials } from "./redact.ts";
import { isLoopbackHost } from "./values.ts";

const MOST_REDIRECTS = 3;

/** A redirect that is not followed. The message completes "the server …". */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
}

export type SafeRequest = {
  /** As configured. Its user name and password are sent to its own server alone. */
  readonly configured: string;
  /** Default: the configured URL. */
  readonly url?: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/**
 * Follows redirects, each to a URL as safe as the one before.
 * @returns the answer, and where it came from
 * @throws {RedirectError}
 */
export async function safeFetch(asked: SafeRequest): Promise<{ response: Response; from: URL }> {
  const { signal } = asked;
  const first = new URL(asked.configured);
  const credentials = basicCredentials(first);
  let url = withoutPassword(asked.url ?? first);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const headers = new Headers(asked.headers);
    if (credentials !== null && url.origin === first.origin) {
      headers.set("authorization", `Basic ${credentials}`);
    }
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null)
      return { response, from: url };
    await response.body?.cancel();
    url = nextHop(location, url);
  }
  throw new RedirectError(`redirects more than ${MOST_REDIRECTS} times`);
}

function nextHop(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new RedirectError("redirects to something that is not a URL");
  const url = withoutPassword(new URL(location, from.href));
  // Only loopback http may lead to loopback http: a public server must not direct us to a local service.
  const loopback = url.protocol === "http:" && from.protocol === "http:" && isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !loopback) throw new RedirectError("redirects to a URL that is not https");
  return url;
}

/** `fetch` refuses URLs with a password. */
export function withoutPassword(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

/** A code such as ECONNREFUSED or 28P01, also of the cause; null without one. */
export function errorCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (typeof code === "string" && /^[A-Z0-9_]+$/.test(code)) return code;
  return error instanceof Error && error.cause !== undefined ? errorCode(error.cause) : null;
}
