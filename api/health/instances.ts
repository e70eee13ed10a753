/** @module The starts of the service over one database: which one indexes, and which ones stand by. */
import { z } from "@hono/zod-openapi";
import pg from "pg";
import { sql } from "ponder";
import { LEASES } from "../../config/fence.ts";
import type { Database } from "../database/checkpoint.ts";

/** Milliseconds between looks. */
const LOOK_EVERY = 2_000;

const instanceSchema = z
  .object({
    id: z.string().openapi({ description: "A random name, new with each start.", example: "9f86d081" }),
    since: z.string().openapi({
      description: "Since when it indexes or stands by, by the database's clock, ISO 8601.",
      format: "date-time",
      example: "2026-03-01T12:00:00Z",
    }),
  })
  .openapi("Instance", { description: "A start of the service with an indexer." });

export const instancesSchema = z
  .object({
    indexing: instanceSchema.nullable().openapi({
      description: "The one that indexes; null while none does.",
    }),
    standby: z.array(instanceSchema).openapi({
      description: "Those that take over when it is gone, the longest-waiting first.",
      example: [],
    }),
  })
  .openapi("Instances", { description: "Which starts of the service index, and which ones stand by." });

export type Instances = z.infer<typeof instancesSchema>;

/** The seconds are those after which one that is silent is no longer named: its renewal is due every second. */
export const instancesQuery = (schema: string): string => `
  SELECT true AS indexing, instance, since FROM ${LEASES.lease}
    WHERE tables = ${pg.escapeLiteral(schema)} AND tenure IS NOT NULL AND renewed_at > now() - interval '10 seconds'
  UNION ALL SELECT false, instance, since FROM ${LEASES.standby}
    WHERE tables = ${pg.escapeLiteral(schema)} AND seen_at > now() - interval '10 seconds'
  ORDER BY since`;

export type InstanceRow = { indexing: boolean; instance: string; since: Date | string };

export function instancesIn(rows: readonly InstanceRow[]): Instances {
  const of = (indexing: boolean) =>
    rows
      .filter((row) => row.indexing === indexing)
      .map(({ instance, since }) => ({ id: instance, since: secondsOf(new Date(since)) }));
  return { indexing: of(true)[0] ?? null, standby: of(false) };
}

/** @returns what was seen last; null where that is not known */
export function watchInstances(
  database: Pick<Database, "statement">,
  schema: string,
): () => Instances | null {
  const query = sql.raw(instancesQuery(schema));
  let seen: Instances | null = null;
  const look = async () => {
    // There are no such tables before the first start that makes them.
    const rows = await database.statement<InstanceRow>("instances", query).catch(() => null);
    seen = rows && instancesIn(rows);
    setTimeout(() => void look(), LOOK_EVERY).unref();
  };
  void look();
  return () => seen;
}

const secondsOf = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;
