/**
 * Finds a busy port before anything starts: Ponder would silently take the next free one.
 * @module
 */
import { createServer } from "node:net";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

/** Listens for a moment on the ports of the service and of the operator's server. */
export async function checkPort({
  host,
  port,
  operatorPort,
}: Pick<Settings, "host" | "port" | "operatorPort">): Promise<readonly Problem[]> {
  const problems = await Promise.all([
    checkOne("PORT", host, port),
    checkOne("OPERATOR_PORT", "127.0.0.1", operatorPort),
  ]);
  return problems.filter((problem) => problem !== null);
}

async function checkOne(
  variable: "PORT" | "OPERATOR_PORT",
  host: string,
  port: number,
): Promise<Problem | null> {
  const code = await listenOnce(host, port);
  if (code === null) return null;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (code === "EADDRINUSE") {
    const problem = `cannot be used: something is already listening on ${address}; stop it, or choose another port`;
    return problemWith(variable, problem);
  }
  if (code === "EACCES") {
    const problem = `cannot be used: this account may not listen on ${address}; choose a port above 1023`;
    return problemWith(variable, problem);
  }
  return problemWith("HOST", `cannot be used: ${address} is not an address of this machine (${code})`);
}

/** The error code; null when the port is free. */
export function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
