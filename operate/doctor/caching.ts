/** @module The effects of a proxy or a cache on answers: their headers, their forms, and whether they are current. */

import type { Ask } from "./ask.ts";
import type { Notes } from "./notes.ts";

/** A page in two forms, and an answer that is the same until the next block with an event. */
const PAGE = "/";
const ANSWER = "/v1/originators";
/** Headers of the answer that clients rely on. */
const HEADERS = ["ETag", "Vary", "X-Indexed-Block", "Cache-Control"];
/** Seconds; answers may be kept for one. */
const OLD = 10;
/** An event between two requests changes the tag. */
const ATTEMPTS = 3;

export async function examineCaching(ask: Ask, notes: Notes): Promise<void> {
  const warn = (what: string, remedy: string) => notes.warn("PUBLIC_URL", what, remedy);
  const plain = await ask(ANSWER, { headers: { "accept-encoding": "identity" } });
  // Without an index yet there is nothing to keep.
  if (plain.status !== 200) return;

  const missing = HEADERS.filter((name) => !plain.headers.has(name));
  if (missing.length > 0) {
    const what = `is behind a proxy that takes out ${missing.join(", ")}`;
    warn(what, "Have the proxy pass all headers of an answer on.");
  }
  if (Number(plain.headers.get("age") ?? 0) > OLD) {
    const what = `gives answers that a cache has kept for ${plain.headers.get("age")} s; they may be kept for one`;
    warn(what, "Have the cache honour Cache-Control: max-age.");
  }
  if (await ignoresAccept(ask)) {
    const what = "gives the same form of a page whatever a client accepts: a cache ignores Vary: Accept";
    warn(what, "Have the cache honour Vary, or let it keep nothing but /covers/ and /assets/.");
  }
  if (await ignoresEncoding(ask)) {
    const what =
      "gives compressed answers to clients that accept none: a cache ignores Vary: Accept-Encoding";
    warn(what, "Have the cache honour Vary, and the proxy compress nothing (gzip off).");
  }
  if (await ignoresQuery(ask)) {
    const what = "ignores the query of a URL: the cache key or the proxy leaves it out";
    const remedy =
      "Keep the query in the cache key and in what the proxy passes on: $request_uri in nginx, not $uri.";
    warn(what, remedy);
  }
  if (plain.headers.has("ETag") && !(await revalidates(ask))) {
    const what = "answers with the whole body though the client has it (If-None-Match): no answer is a 304";
    warn(what, "Have the proxy pass If-None-Match and ETag on unchanged, and compress nothing (gzip off).");
  }
  for (const id of [crypto.randomUUID(), crypto.randomUUID()]) {
    const posted = await ask("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }),
    });
    if (posted.status !== 200) {
      const what = `refuses POST with ${posted.status}: tools (/mcp) and GraphQL do not work`;
      warn(what, "Have the proxy pass POST on: all requests only read.");
      break;
    }
    if (!posted.text.includes(id)) {
      const what = "answers a POST with the answer to an earlier one: a cache keeps them";
      warn(what, "Have the cache keep no answers to POST, which depend on the body.");
      break;
    }
  }
}

/** Each form after the other: a cache has one of them by then. */
async function ignoresAccept(ask: Ask): Promise<boolean> {
  for (const accept of ["text/html", "text/markdown", "text/html"]) {
    const response = await ask(PAGE, { headers: { accept } });
    if (response.status !== 200) return false;
    if (!(response.headers.get("content-type") ?? "").startsWith(accept)) return true;
  }
  return false;
}

/** Asks with a query that the service refuses, right after the same path without one. */
async function ignoresQuery(ask: Ask): Promise<boolean> {
  const headers = { "accept-encoding": "identity" };
  // Some caches store an answer at its second use.
  for (let use = 0; use < 2; use++) await ask(ANSWER, { headers });
  return (await ask(`${ANSWER}?limit=none`, { headers })).status === 200;
}

async function ignoresEncoding(ask: Ask): Promise<boolean> {
  const asked = (coding: string) => ask(ANSWER, { headers: { "accept-encoding": coding } });
  await asked("gzip");
  return (await asked("identity")).headers.has("content-encoding");
}

/** With the tag of an answer in another coding too: it may have become a weak one. */
async function revalidates(ask: Ask): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const statuses: number[] = [];
    for (const coding of ["identity", "gzip"]) {
      const headers = { "accept-encoding": coding };
      const first = await ask(ANSWER, { headers });
      const tag = first.headers.get("etag") ?? "";
      const again = await ask(ANSWER, { headers: { ...headers, "if-none-match": tag } });
      statuses.push(again.status);
    }
    if (statuses.every((status) => status === 304)) return true;
  }
  return false;
}
