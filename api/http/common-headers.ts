/** @module The headers of every answer. */
import { randomUUID } from "node:crypto";

const EXPOSED_HEADERS = [
  "Accept-Ranges",
  "Allow",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Link",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Indexed-At",
  "X-Indexed-Block",
  "X-Indexed-Event",
  "X-Markdown-Tokens",
  "X-Request-Id",
];

export const EXPOSE = EXPOSED_HEADERS.join(",");

/** Other clients may get another form at the same address. */
export const VARY = { Vary: "Accept, Accept-Encoding" };

/** Everything is public and meant for other sites. A page that needs more than the policy allows sends its own. */
export function commonHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSE,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Origin-Agent-Cluster": "?1",
    "Referrer-Policy": "no-referrer",
    ...(publicUrl.startsWith("https:")
      ? { "Strict-Transport-Security": "max-age=15552000; includeSubDomains" }
      : {}),
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
    "X-Download-Options": "noopen",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Permitted-Cross-Domain-Policies": "none",
    "X-XSS-Protection": "0",
  };
}

/** The id of a request: the client's if it is plain text, else a new one. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && /^[\w\-=]{1,255}$/.test(sent) ? sent : randomUUID();
}
