/** The served description under the official linter of OpenAPI documents, with its strictest rules. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { describeApi } from "../../api/openapi/describe.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { SITE } from "../harness/snapshot.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const REDOCLY = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const description = describeApi(SITE);

describe("redocly lint, recommended-strict", () => {
  const lint = (document: unknown) => {
    const folder = temporaryFolder();
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(document));
    const args = ["lint", "--config", join(ROOT, "redocly.yaml"), "--format", "json", file];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    return new Promise<{ exitCode: number; rules: string[] }>((resolve, reject) => {
      execFile(process.execPath, [REDOCLY, ...args], { env, cwd: folder }, (error, stdout) => {
        const exitCode = error === null ? 0 : Number(error.code);
        try {
          const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] };
          resolve({ exitCode, rules: problems.map(({ ruleId }) => ruleId) });
        } catch {
          reject(new Error(`redocly said: ${stdout}`));
        }
      });
    });
  };

  it("has nothing to say of the served description", async () => {
    expect(await lint(description)).toEqual({ exitCode: 0, rules: [] });
  });

  it("finds what it is there for", async () => {
    const worse = structuredClone(description);
    for (const { get } of Object.values(worse.paths ?? {})) {
      const { responses = {} } = get ?? {};
      for (const status of Object.keys(responses)) if (status.startsWith("4")) delete responses[status];
    }
    const { exitCode, rules } = await lint(worse);
    expect(exitCode).toBe(1);
    expect(rules).toContain("operation-4xx-response");
  });
});
