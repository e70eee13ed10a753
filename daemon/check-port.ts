/**
 * A busy port is found before anything starts: Ponder would take the next free one without saying so.
 * @module
 */
import { createServer } from "node:net";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

/** Listens for a moment where the service and the operator's server are going to listen. */
export async function checkPort({
  host,
  port,
  operatorPort,
}: Pick<Settings, "host" | "port" | "operatorPort">): Promise<readonly Problem[]> {
  const problems = await Promise.all([
    checkPlace("PORT", host, port),
    checkPlace("OPERATOR_PORT", "127.0.0.1", operatorPort),
  ]);
  return problems.filter((problem) => problem !== null);
}

async function checkPlace(
  variable: "PORT" | "OPERATOR_PORT",
  host: string,
  port: number,
): Promise<Problem | null> {
  const code = await listenOnce(host, port);
  if (code === null) return null;
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (code === "EADDRINUSE") {
    const problem = `cannot be used: something listens on ${place} already; stop it, or choose another port`;
    return problemWith(variable, problem);
  }
  if (code === "EACCES") {
    const problem = `cannot be used: this account may not listen on ${place}; choose one above 1023`;
    return problemWith(variable, problem);
  }
  return problemWith("HOST", `cannot be listened on: ${place} is no address of this machine (${code})`);
}

function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
