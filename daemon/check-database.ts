/**
 * Whether PostgreSQL can be reached at all. Ponder would try a dead address for minutes, with a stack trace each time.
 * @module
 */
import { connect } from "node:net";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

const DEFAULT_POSTGRES_PORT = 5432;

/** Opens a connection and closes it. Says nothing about user, password and rights: Ponder's own message is clear there. */
export async function checkDatabase(
  { database }: Pick<Settings, "database">,
  timeout: number,
): Promise<readonly Problem[]> {
  if (database.kind !== "postgres") return [];
  const { hostname, port, searchParams } = new URL(database.connectionString);
  // A socket file is named in the query, and the host is then empty or of no account.
  if (hostname === "" || searchParams.has("host")) return [];
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1");
  const code = await connectOnce(host, port === "" ? DEFAULT_POSTGRES_PORT : Number(port), timeout);
  if (code === null) return [];
  return [
    problemWith(
      "DATABASE_URL",
      `at ${hostname}:${port || DEFAULT_POSTGRES_PORT} cannot be reached (${code})`,
    ),
  ];
}

function connectOnce(host: string, port: number, timeout: number): Promise<string | null> {
  const socket = connect({ host, port, timeout });
  return new Promise<string | null>((resolve) => {
    socket.once("connect", () => resolve(null));
    socket.once("timeout", () => resolve(`no answer within ${timeout / 1000} s`));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
  }).finally(() => socket.destroy());
}
