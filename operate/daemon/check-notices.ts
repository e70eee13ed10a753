/** @module Checks whether readers hear of new blocks at once: by their own database, or where that is a standby by its primary. */
import type pg from "pg";
import { clusterAt } from "../../api/database/replica.ts";
import { postgresClientOf } from "../../config/postgres-client.ts";
import { checkDatabase } from "./check-database.ts";
import type { Findings } from "./postgres-findings.ts";

/** Milliseconds to wait for a notification. */
const NOTICE = 3_000;
const NO_POOLER =
  "Connect to PostgreSQL itself, or set pool_mode=session in the pooler (PgBouncer) in front of it.";
/** How readers learn of changes without notices. */
const LATE = "readers read the tables ten times a second";

/** Whether each connection is a session of PostgreSQL and gets others' notifications, by which readers learn of blocks at once. */
export async function checkSessions(
  client: pg.Client,
  other: pg.Client,
  { standby }: { standby: boolean },
  { problem, warn }: Findings,
): Promise<void> {
  if (await isSharedByTransaction(client, other)) {
    const what =
      "leads to a pooler that assigns a connection per transaction or statement: settings, locks and LISTEN are lost with it";
    return problem(what, NO_POOLER);
  }
  if (!standby && !(await hearsNotices(client, other)))
    warn("lets no notices through (LISTEN, NOTIFY): readers learn of blocks late", NO_POOLER);
}

/** In that mode a pooler gives two clients the same session, or one client a different session each time. */
async function isSharedByTransaction(client: pg.Client, other: pg.Client): Promise<boolean> {
  const own = await sessionOf(client);
  if ((await sessionOf(other)) === own) return true;
  // Keeps the other client's current session busy.
  await other.query("BEGIN");
  const isSame = (await sessionOf(client)) === own;
  await other.query("ROLLBACK");
  return !isSame;
}

async function sessionOf(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}

async function hearsNotices(client: pg.Client, other: pg.Client): Promise<boolean> {
  const channel = `raisebook_check_${process.pid}`;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), NOTICE);
  client.on("notification", () => resolve(true));
  await client.query(`LISTEN ${channel}`);
  await other.query(`NOTIFY ${channel}`);
  const hears = await promise;
  clearTimeout(timer);
  await client.query(`UNLISTEN ${channel}`);
  return hears;
}

type NoticesOptions = { readonly noticesUrl: string | null; readonly timeout: number };

/** NOTICES_DATABASE_URL, which readers can do without. @param client of DATABASE_URL */
export async function checkNotices(
  client: pg.Client,
  { standby }: { standby: boolean },
  { noticesUrl, timeout }: NoticesOptions,
  { warn, fact }: Findings,
): Promise<void> {
  const warnOf = (what: string, remedy: string) => warn(what, remedy, "NOTICES_DATABASE_URL");
  const name = "Set it to the primary of DATABASE_URL.";
  if (noticesUrl === null) {
    if (standby) warnOf(`is not set, and DATABASE_URL is a standby: ${LATE}`, name);
    return;
  }
  const named = { kind: "postgres", connectionString: noticesUrl, noticesUrl: null } as const;
  const [refused] = await checkDatabase({ database: named }, timeout);
  if (refused !== undefined) return warnOf(`${refused.problem}: ${LATE}`, refused.remedy ?? name);
  const [one, other] = [postgresClientOf(noticesUrl, timeout), postgresClientOf(noticesUrl, timeout)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    const { rows } = await one.query<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby");
    const announces = rows[0]?.standby === false;
    fact("notices of blocks", { primary: announces });
    if (!announces) return warnOf(`is a standby, which announces no blocks: ${LATE}`, name);
    if ((await clusterAt(client)) !== (await clusterAt(one)))
      return warnOf(`is not the primary of DATABASE_URL, but of another database: ${LATE}`, name);
    if ((await isSharedByTransaction(one, other)) || !(await hearsNotices(one, other)))
      warnOf(`lets no notices through (LISTEN, NOTIFY): ${LATE}`, NO_POOLER);
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
}
