/** @module A token bucket for each client, reported in the header fields of draft-ietf-httpapi-ratelimit-headers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Settings } from "../../config/environment.ts";
import { createClientNamer } from "./client-address.ts";
import { refuse } from "./problem.ts";
import type { Headers } from "./respond.ts";

/** Seconds in which a bucket that is empty fills. */
const WINDOW = 60;
const WINDOW_MS = WINDOW * 1000;
/** The client that asked least recently is forgotten, and has a full bucket when it asks again. */
const MOST_CLIENTS = 50_000;
/** Exempt: a load balancer would take a refusal for an outage. */
const NOT_COUNTED = "/v1/ready";

export type RateLimit = {
  /** most requests at once, and in each minute from then on */
  perMinute: number;
  /** addresses and CIDR blocks of proxies whose `X-Forwarded-For` is trusted */
  trustedProxies: readonly string[];
};

/** The limit in the operator's settings; null when clients are not limited. */
export function rateLimitOf({
  rateLimit,
  trustedProxies,
}: Pick<Settings, "rateLimit" | "trustedProxies">): RateLimit | null {
  return rateLimit === null ? null : { perMinute: rateLimit, trustedProxies };
}

export type Take = {
  isAllowed: boolean;
  remaining: number;
  /** seconds until the bucket is full */
  reset: number;
  /** seconds until the next request is allowed; 0 while requests are left */
  retryAfter: number;
};

/**
 * Token buckets, one for each client. A refused request takes no token.
 * @param perMinute requests allowed per minute and client
 * @returns a function that takes a token; `now` is in whole milliseconds of a monotonic clock
 */
export function createBuckets(perMinute: number, mostClients = MOST_CLIENTS) {
  // When the bucket will be full, in milliseconds times `perMinute`: integers, in which a request is worth WINDOW_MS.
  const fullAt = new LRUCache<string, number>({ max: mostClients });
  const capacity = perMinute * WINDOW_MS;
  const seconds = (units: number) => Math.ceil(units / perMinute / 1000);

  return (client: string, now: number): Take => {
    const at = now * perMinute;
    const missing = Math.max((fullAt.get(client) ?? 0) - at, 0);
    const isAllowed = missing + WINDOW_MS <= capacity;
    const missingNow = isAllowed ? missing + WINDOW_MS : missing;
    if (isAllowed) fullAt.set(client, at + missingNow);
    return {
      isAllowed,
      remaining: Math.floor((capacity - missingNow) / WINDOW_MS),
      reset: seconds(missingNow),
      retryAfter: seconds(Math.max(missingNow + WINDOW_MS - capacity, 0)),
    };
  };
}

/** Adds the client's limit to each answer. @returns whether the request may go on; otherwise it is answered with a problem */
export function createRateLimiter({ perMinute, trustedProxies }: RateLimit, common: Headers) {
  const take = createBuckets(perMinute);
  const clientOf = createClientNamer(trustedProxies);
  const policy = `"client";q=${perMinute};w=${WINDOW}`;

  return (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    // A refused preflight would hide from a page that the request itself is refused.
    if (incoming.method === "OPTIONS" || incoming.url === NOT_COUNTED) return true;
    const { isAllowed, remaining, reset, retryAfter } = take(
      clientOf(incoming),
      Math.floor(performance.now()),
    );
    outgoing.setHeader("ratelimit-policy", policy);
    outgoing.setHeader("ratelimit", `"client";r=${remaining};t=${reset}`);
    if (!isAllowed) {
      const detail = `A client may send ${perMinute} requests a minute here; the next one in ${retryAfter} s.`;
      const headers = { "retry-after": String(retryAfter) };
      refuse(incoming, outgoing, common, { code: "too_many_requests", detail, headers });
    }
    return isAllowed;
  };
}
