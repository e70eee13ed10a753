/** @module The official conformance suite as a child process: which scenarios it has, and what its checks say of a server. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runNode } from "./run-node.ts";

const CLI = import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js");
/** Milliseconds that a scenario may take. */
const SCENARIO_PATIENCE = 10_000;

export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);
export type Check = z.output<typeof checksSchema>[number];

/** Every scenario for servers, with the revisions it is for; `extension` for those that belong to none. */
export async function listScenarios(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { stdout } = await runNode(CLI, ["list", "--server"], tmpdir());
  const lines = [...stdout.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)];
  return new Map(lines.map(([, name = "", revisions = ""]) => [name, revisions.split(",")]));
}

/**
 * Runs every scenario that the suite has for a revision.
 *
 * @param revision null for what the suite does when it is told none: all that it has, each in its newest revision
 * @returns what each scenario checked, by its name
 */
export async function runSuite(
  url: string,
  revision: Revision | null,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-conformance-"));
  try {
    const options = ["--url", url, "--suite", "all", "--timeout", `${SCENARIO_PATIENCE}`, "-o", folder];
    const version = revision === null ? [] : ["--spec-version", revision];
    // The exit code says only whether something failed: checks are judged one by one.
    const { stdout, stderr } = await runNode(CLI, ["server", ...options, ...version], folder);
    const results = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
        if (scenario === undefined) throw new Error(`not a result of the suite: ${name}`);
        const text = await readFile(join(folder, name, "checks.json"), "utf8");
        return [scenario, checksSchema.parse(JSON.parse(text))] as const;
      }),
    );
    if (results.length === 0)
      throw new Error(`the suite ran nothing:\n${stdout.slice(-1_000)}\n${stderr.slice(-1_000)}`);
    return new Map(results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
