/**
 * Whether PostgreSQL takes us. Ponder would try for minutes, with a stack trace each time, and not say what is wrong.
 * @module
 */
import pg from "pg";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

/** Connects with user and password, and leaves again. */
export async function checkDatabase(
  { database }: Pick<Settings, "database">,
  timeout: number,
): Promise<readonly Problem[]> {
  if (database.kind !== "postgres") return [];
  const { connectionString } = database;
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return [];
  } catch (error) {
    const { host, port } = new URL(connectionString).searchParams.has("host")
      ? { host: "its socket", port: "" }
      : { host: client.host, port: `:${client.port}` };
    return [problemWith("DATABASE_URL", `at ${host}${port} cannot be used (${reasonOf(error)})`)];
  } finally {
    await client.end().catch(() => {});
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // A name with several addresses fails with one error for each, and no message.
  return message || code || "no answer";
}
