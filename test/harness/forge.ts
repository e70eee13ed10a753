/** @module Tampered ledger files with a matching digest. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";

/** A file with its lines changed: the header, then the events. Their number and the digest are adjusted. */
export function forged(file: Uint8Array, change: (lines: string[]) => string[]): Buffer {
  const [head = "", ...events] = change(gunzipSync(file).toString().split("\n").slice(0, -2));
  const lines = [head.replace(/"events":\d+\}$/, `"events":${events.length}}`), ...events];
  const text = lines.map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return gzipSync(`${text}${JSON.stringify({ events: events.length, sha256 })}\n`);
}
