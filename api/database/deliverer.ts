/** @module Recognises this service's webhook deliverer by the key that it keeps in the database or the data directory. */
import { timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { DELIVERER_KEY, PLACES } from "../../config/deliverer.ts";
import type { Settings } from "../../config/environment.ts";
import { serviceKeyOf } from "../../config/schema-name.ts";
import type { Database } from "./checkpoint.ts";

/** Shortest interval between reads of the key, whatever is sent. Milliseconds. */
const KEPT_FOR = 2_000;

/** Whether this is the deliverer's key. False when the key cannot be read. */
export type IsDeliverer = (key: string) => Promise<boolean>;

export function createDelivererCheck(
  settings: Pick<Settings, "database" | "chainId" | "publicUrl">,
  database: Pick<Database, "statement">,
): IsDeliverer {
  const read = async (): Promise<unknown> => {
    if (settings.database.kind !== "postgres") {
      const file = join(settings.database.dataDirectory, PLACES.folder, `${DELIVERER_KEY}.json`);
      return JSON.parse(await readFile(file, "utf8"));
    }
    const entries = sql`${sql.identifier(PLACES.schema)}.entry`;
    const query = sql`SELECT value FROM ${entries} WHERE service = ${serviceKeyOf(settings)} AND key = ${DELIVERER_KEY}`;
    const [row] = await database.statement<{ value: unknown }>("deliverer_key", query);
    return row?.value;
  };
  let known: Promise<unknown> = Promise.resolve(null);
  let readAt = Number.NEGATIVE_INFINITY;
  return async (key) => {
    const now = performance.now();
    if (now - readAt > KEPT_FOR) {
      readAt = now;
      known = read().catch(() => null);
    }
    const expected = await known;
    if (typeof expected !== "string" || expected.length !== key.length) return false;
    const bytes = Buffer.from(key);
    return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
  };
}
