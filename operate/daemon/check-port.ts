/** @module Finds a busy port before anything starts: Ponder would silently take the next free one. */
import { createServer } from "node:net";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import { hostInUrl } from "../../config/service-urls.ts";
import type { VariableName } from "../../config/variables.ts";

type Ports = Pick<Settings, "host" | "port" | "operatorPort" | "metricsPort">;

/** Tries to listen on the ports of the service, of the operator's server and of the readers' metrics. */
export async function checkPort(settings: Ports): Promise<readonly Problem[]> {
  const checks = [checkPublicPort, checkOperatorPort, checkMetricsPort].map((check) => check(settings));
  return (await Promise.all(checks)).flat();
}

/** A default port may be busy: the readers log that and continue. */
export async function checkMetricsPort({ metricsPort }: Pick<Ports, "metricsPort">): Promise<Problem[]> {
  return metricsPort === null ? [] : checkOne("METRICS_PORT", "127.0.0.1", metricsPort);
}

export function checkPublicPort({ host, port }: Pick<Ports, "host" | "port">): Promise<Problem[]> {
  return checkOne("PORT", host, port);
}

export function checkOperatorPort({ operatorPort }: Pick<Ports, "operatorPort">): Promise<Problem[]> {
  return checkOne("OPERATOR_PORT", "127.0.0.1", operatorPort);
}

async function checkOne(variable: VariableName, host: string, port: number): Promise<Problem[]> {
  const code = await listenOnce(host, port);
  if (code === null) return [];
  const address = `${hostInUrl(host)}:${port}`;
  if (code === "EADDRINUSE") {
    const problem = `cannot be used: something is already listening on ${address}; stop it, or choose another port`;
    return [problemWith(variable, problem, `Stop what listens there, or set ${variable} to another port.`)];
  }
  if (code === "EACCES") {
    const problem = `cannot be used: this account may not listen on ${address}; choose a port above 1023`;
    return [problemWith(variable, problem, `Set ${variable} to a port above 1023.`)];
  }
  const problem = `cannot be used: ${address} is not an address of this machine (${code})`;
  const remedy = "Set it to 127.0.0.1 behind a proxy of this machine, or to 0.0.0.0 for all.";
  return [problemWith("HOST", problem, remedy)];
}

/** The error code; null when the port is free. */
export function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
