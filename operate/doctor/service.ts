/** @module Looks what listens on the service's port: nothing, the service itself, or something else. */
import { type Health, healthSchema } from "../../api/health/schema.ts";
import type { Settings } from "../../config/environment.ts";
import { localUrl } from "../../config/service-urls.ts";
import { checkMetricsPort, checkOperatorPort, checkPublicPort } from "../daemon/check-port.ts";
import { createAsk } from "./ask.ts";
import { createNotes, type Notes } from "./notes.ts";

export type Running = {
  /** where it answers on this machine, without a slash at the end */
  readonly url: string;
  readonly health: Health;
};

type ExaminedService = { readonly notes: Notes; readonly running: Running | null };

/** `running` is null where it does not run on this machine. */
export async function examineService(settings: Settings, timeout: number): Promise<ExaminedService> {
  const notes = createNotes("service");
  const { port, chainId } = settings;
  const url = localUrl(settings);
  const problems = await checkPublicPort(settings);
  const health = problems.length === 0 ? null : await healthAt(url, timeout);
  if (health === null) {
    const [operator, metrics] = await Promise.all([checkOperatorPort(settings), checkMetricsPort(settings)]);
    notes.take({ problems: [...problems, ...operator, ...metrics] });
    return { notes, running: null };
  }
  const { status, version, indexedBlock, lagSeconds, restarts, registry, troubles } = health;
  notes.fact(url, { status, version, indexedBlock, lagSeconds, restarts: restarts.count });
  if (health.chainId !== chainId) {
    const what = `${port} is the port of a service for chain ${health.chainId}; expected chain id ${chainId} (CHAIN_ID)`;
    notes.problem("PORT", what, "Set PORT to another one, stop that service, or correct CHAIN_ID.");
    return { notes, running: null };
  }
  if (registry.problem !== null) {
    const what = `has been refused by the running service, which keeps the copy before it: ${registry.problem}`;
    notes.warn("REGISTRY", what, "Fix the document: it is loaded again when it changes.");
  }
  for (const { code, remedy } of troubles)
    if (code !== "registry_refused") notes.warn(null, `The running service is degraded: ${code}`, remedy);
  return { notes, running: { url, health } };
}

/** Null where nothing answers, or something else than the service does. */
async function healthAt(url: string, timeout: number): Promise<Health | null> {
  const answer = await createAsk(url, timeout)("/v1/health").catch(() => null);
  return answer === null ? null : healthIn(answer.text);
}

/** Null for the text of something else. */
export function healthIn(text: string): Health | null {
  try {
    return healthSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
