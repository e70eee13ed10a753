/**
 * Finds a busy port before anything starts: Ponder would silently take the next free one.
 * @module
 */
import { createServer } from "node:net";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith } from "../../config/problems.ts";

type Ports = Pick<Settings, "host" | "port" | "operatorPort" | "metricsPort">;

/** Tries to listen on the ports of the service, of the operator's server and of the readers' metrics. */
export async function checkPort(settings: Ports): Promise<readonly Problem[]> {
  const problems = await Promise.all([
    checkPublicPort(settings),
    checkOperatorPort(settings),
    checkMetricsPort(settings),
  ]);
  return problems.flat();
}

/** The same for the port of the readers' metrics. A default port may be busy: the readers log that and continue. */
export async function checkMetricsPort({
  metricsPort,
}: Pick<Settings, "metricsPort">): Promise<readonly Problem[]> {
  const problem = metricsPort === null ? null : await checkOne("METRICS_PORT", "127.0.0.1", metricsPort);
  return problem === null ? [] : [problem];
}

/** The same for the public port alone. */
export async function checkPublicPort({
  host,
  port,
}: Pick<Settings, "host" | "port">): Promise<readonly Problem[]> {
  const problem = await checkOne("PORT", host, port);
  return problem === null ? [] : [problem];
}

/** The same for the operator's port alone. */
export async function checkOperatorPort({
  operatorPort,
}: Pick<Settings, "operatorPort">): Promise<readonly Problem[]> {
  const problem = await checkOne("OPERATOR_PORT", "127.0.0.1", operatorPort);
  return problem === null ? [] : [problem];
}

async function checkOne(
  variable: "PORT" | "OPERATOR_PORT" | "METRICS_PORT",
  host: string,
  port: number,
): Promise<Problem | null> {
  const code = await listenOnce(host, port);
  if (code === null) return null;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (code === "EADDRINUSE") {
    const problem = `cannot be used: something is already listening on ${address}; stop it, or choose another port`;
    return problemWith(variable, problem, `Stop what listens there, or set ${variable} to another port.`);
  }
  if (code === "EACCES") {
    const problem = `cannot be used: this account may not listen on ${address}; choose a port above 1023`;
    return problemWith(variable, problem, `Set ${variable} to a port above 1023.`);
  }
  const problem = `cannot be used: ${address} is not an address of this machine (${code})`;
  return problemWith(
    "HOST",
    problem,
    "Set it to 127.0.0.1 behind a proxy of this machine, or to 0.0.0.0 for all.",
  );
}

/** The error code; null when the port is free. */
export function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
