/** The doctor on a healthy set-up, which it says nothing of, and on one with one fault at a time: it finds that, and nothing else. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { preflight } from "../../operate/daemon/preflight.ts";
import { examine } from "../../operate/doctor/doctor.ts";
import { proposalOf, textOf } from "../../operate/doctor/report.ts";
import { appIn } from "../harness/app.ts";
import { CONTRACT_FAULTS, ENVIRONMENT_FAULTS } from "../harness/doctor/chain-faults.ts";
import { DATABASE_FAULTS, DISK_FAULT, healthyDatabase } from "../harness/doctor/database-faults.ts";
import { ENDPOINT_FAULTS } from "../harness/doctor/endpoint-faults.ts";
import type { Fault, Seeded } from "../harness/doctor/fault.ts";
import { LOG_FAULTS } from "../harness/doctor/log-faults.ts";
import { PUBLIC_FAULTS } from "../harness/doctor/public-faults.ts";
import { REGISTRY_FAULTS } from "../harness/doctor/registry-faults.ts";
import { type SetUp, startPublicProxy, startSetUp } from "../harness/doctor/set-up.ts";
import { startRpcProxy } from "../harness/rpc-proxy.ts";
import { RAISEBOOK, runProgram } from "../harness/run-program.ts";
import { serveApp } from "../harness/serve-app.ts";

const SECRETS = /secret-key|secret-password/;

let setUp: SetUp;
beforeAll(async () => {
  setUp = await startSetUp();
});
afterAll(() => setUp.stop());

/** Runs something with what it needs, which is ended in turn. */
async function seeded<Result>(
  seed: Exclude<Fault["seed"], Record<string, string>>,
  run: (seeded: Seeded) => Promise<Result>,
): Promise<Result> {
  const ends: (() => unknown)[] = [];
  try {
    return await run(await seed(setUp, (end) => ends.unshift(end)));
  } finally {
    for (const end of ends) await end();
  }
}

const inSetUp = ({ env, options }: Seeded) =>
  // A busy machine takes seconds for an answer.
  examine({ ...setUp.env, ...env }, { timeout: 10_000, ...options });

describe("a healthy set-up has no findings", () => {
  const NOTHING = "Nothing is wrong with this set-up.\n";

  it("on the embedded database, with two endpoints and a WebSocket", async () => {
    const { chain, factory, env } = setUp;
    const proxy = await startRpcProxy(chain.rpcUrl);
    const report = await inSetUp({
      env: {
        RPC_URLS: `${chain.rpcUrl},${proxy.url}/?key=secret-key`,
        WS_URL: chain.rpcUrl.replace("http", "ws"),
        ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}`,
      },
    }).finally(proxy.stop);
    expect(textOf(report, { isVerbose: false })).toBe(NOTHING);
    const verbose = textOf(report, { isVerbose: true });
    expect(verbose.endsWith(NOTHING)).toBe(true);
    expect(verbose).toContain(
      `${setUp.escrow.address}: variable=ESCROWS startBlock=${setUp.escrow.blockNumber}`,
    );
    expect(verbose).toContain("listings=2 onChain=2 onChainWithoutEntry=0");
    expect(verbose).toMatch(/Alchemy, a day: compute units=\d+/);
    expect(verbose).toContain(`service         http://127.0.0.1:${env.PORT}: status=ok`);
    expect(JSON.stringify(report)).not.toMatch(SECRETS);
  });

  it("on PostgreSQL", () =>
    seeded(healthyDatabase, async (healthy) => {
      const report = await inSetUp(healthy);
      expect(textOf(report, { isVerbose: false })).toBe(NOTHING);
      expect(textOf(report, { isVerbose: true })).toMatch(/PostgreSQL 18\.\d.* standby=false/);
      expect(JSON.stringify(report)).not.toMatch(SECRETS);
    }));
});

/** The end of the finding that an endpoint is slow. */
const SLOW = "ms for an answer";

function expectFinds(
  { finds, measures, proposes, isCutShort = false }: Fault,
  report: Awaited<ReturnType<typeof examine>>,
): void {
  // Any endpoint is slow on a loaded machine: that counts where it is the fault.
  const isSlow = finds.some(([, , what]) => what.source.includes(SLOW));
  const found = report.findings
    .filter(({ what }) => isSlow || !what.includes(SLOW))
    .map(({ severity, variable, what, remedy }) => [severity, variable, what, remedy]);
  const expected = finds.map(([severity, variable, what, remedy]) => [
    severity,
    variable instanceof RegExp ? expect.stringMatching(variable) : variable,
    ...[expect.stringMatching(what), expect.stringMatching(remedy)],
  ]);
  expect(found).toEqual(expected);
  expect(report.isWhole).toBe(!isCutShort);
  if (proposes !== undefined) expect(proposalOf(report.findings)).toEqual(proposes(setUp));
  const text = textOf(report, { isVerbose: true });
  if (measures !== undefined) expect(text).toMatch(measures);
  for (const { what, remedy } of report.findings) {
    expect(text).toContain(what);
    expect(text).toContain(`-> ${remedy}\n`);
  }
  expect(text).not.toMatch(SECRETS);
}

const find = (fault: Fault) => {
  const { seed } = fault;
  if (typeof seed !== "function") return inSetUp({ env: seed }).then((report) => expectFinds(fault, report));
  return seeded(seed, async (changes) => expectFinds(fault, await inSetUp(changes)));
};

describe.concurrent.each([
  ["the environment", ENVIRONMENT_FAULTS],
  ["the endpoints", ENDPOINT_FAULTS],
  ["the logs of endpoints", LOG_FAULTS],
  ["the contracts", CONTRACT_FAULTS],
  ["the registry, its links and the data directory", REGISTRY_FAULTS],
  ["PostgreSQL", DATABASE_FAULTS],
])("faults of %s", (_, faults) => {
  it.each(faults.map((fault) => [fault.name, fault] as const))("%s", (_name, fault) => find(fault));
});

describe.concurrent("what the doctor says of PostgreSQL, a start says before it begins", () => {
  const ofDatabase = ({ variable }: { variable: string | null }) => variable === "DATABASE_URL";

  it.each(DATABASE_FAULTS.map((fault) => [fault.name, fault.seed] as const))("%s", (_name, seed) => {
    if (typeof seed !== "function") throw new Error("a database is made");
    return seeded(seed, async (changes) => {
      const [{ findings }, { problems, warnings }] = await Promise.all([
        inSetUp(changes),
        preflight(readSettings({ ...setUp.env, ...changes.env }), { timeout: 2_000 }),
      ]);
      const found = [
        ...problems.filter(ofDatabase).map(({ problem }) => problem),
        ...warnings.filter(ofDatabase).map(({ warning }) => warning),
      ];
      // Each counts while the other has connections.
      const withoutCount = (text: string) => text.replace(/has \d+ connections/, "has N connections");
      expect(found.map(withoutCount)).toEqual(
        findings.filter(ofDatabase).map(({ what }) => withoutCount(what)),
      );
      // Only readers can use a standby.
      const isFatal = ({ severity, what }: (typeof findings)[number]) =>
        severity === "problem" || /^is a standby, which/.test(what);
      expect(problems.some(ofDatabase)).toBe(findings.filter(ofDatabase).some(isFatal));
    });
  });
});

// One after the other: they share the proxy.
describe("faults of the public address", () => {
  it.each(PUBLIC_FAULTS.map((fault) => [fault.name, fault] as const))("%s", (_name, fault) => find(fault));

  it.skipIf(process.getuid?.() !== 0)(DISK_FAULT.name, () => find(DISK_FAULT));
});

describe("the certificate of the public address", () => {
  const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

  it.skipIf(!hasOpenssl)("is named when it is not trusted, over, or soon to be", async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(setUp.folder, name)) as [string, string];
    const { status, stderr } = spawnSync("openssl", [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 5 -subj /CN=localhost".split(
        " ",
      ),
      ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
    ]);
    expect([status, `${stderr}`.match(/error/i)]).toEqual([0, null]);
    const pem = readFileSync(cert, "utf8");
    const proxy = await startPublicProxy(createServer({ key: readFileSync(key), cert: pem }));
    const publicUrl = `https://localhost:${proxy.port}`;
    const app = await serveApp(await appIn({ publicUrl }));
    proxy.upstream = app.port;
    const seeded = { env: { PUBLIC_URL: publicUrl, PORT: `${app.port}` } };
    const trusted = getCACertificates("default");
    try {
      const findsOf = async (options = {}) => {
        const { findings } = await inSetUp({ ...seeded, options });
        return findings.filter(({ variable }) => variable === "PUBLIC_URL");
      };
      expect(await findsOf()).toMatchObject([
        {
          severity: "problem",
          what: "shows a certificate that clients do not trust (DEPTH_ZERO_SELF_SIGNED_CERT)",
          remedy: expect.stringContaining("a public authority"),
        },
      ]);
      setDefaultCACertificates([...trusted, pem]);
      expect(await findsOf()).toMatchObject([
        {
          severity: "warning",
          what: "shows a certificate that expires in 4 days",
          remedy: expect.stringContaining("Renew it now"),
        },
      ]);
      const inTenDays = () => Date.now() / 1000 + 10 * 86_400;
      expect(await findsOf({ now: inTenDays })).toMatchObject([
        {
          severity: "problem",
          what: expect.stringMatching(/^shows a certificate that expired [45] days ago/),
          remedy: expect.stringContaining("Renew the certificate"),
        },
      ]);
    } finally {
      setDefaultCACertificates(trusted);
      await Promise.all([proxy.stop(), app.close()]);
    }
  });
});

describe.concurrent("raisebook doctor", () => {
  const raisebook = (env: Record<string, string>, ...options: string[]) =>
    raisebookIn(setUp.folder, env, ...options);
  const raisebookIn = (cwd: string, env: Record<string, string>, ...options: string[]) =>
    runProgram(RAISEBOOK, ["doctor", ...options], {
      cwd,
      env: { HOME: setUp.folder, ...setUp.env, ...env },
    });

  it("exits with 0 if nothing is wrong", async () => {
    expect(await raisebook({})).toEqual({
      ...{ code: 0, output: "Nothing is wrong with this set-up.\n", errors: "" },
    });
  });

  it("exits with 1 on a problem, naming it, the fix and the value", async () => {
    const { escrow } = setUp;
    const wrong = {
      ESCROWS: `${escrow.address}@${escrow.blockNumber + 40n}`,
      RPC_URL: "http://127.0.0.1/secret-key",
    };
    const mended = `${escrow.address}@${escrow.blockNumber}`;
    const [text, json] = await Promise.all([raisebook(wrong), raisebook(wrong, "--json")]);
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.output).toMatch(
      /^problem {2}ESCROWS starts .*\n {9}-> Start it at the block of its deployment/,
    );
    expect(text.output).toContain(`Proposed for the environment:\n  ESCROWS=${mended}\n`);
    expect(text.output.endsWith("1 problem, 1 warning.\n")).toBe(true);
    expect(JSON.parse(json.output)).toMatchObject({
      ...{ isHealthy: false, isWhole: true, proposal: { ESCROWS: mended } },
      findings: [{ variable: "ESCROWS" }, { variable: "RPC_URL", severity: "warning" }],
    });
    expect(text.output + json.output).not.toMatch(SECRETS);
    // With what is proposed it is well, but for the name that nothing reads.
    const after = await raisebook({ ...wrong, ESCROWS: mended });
    expect([after.code, after.output]).toEqual([
      0,
      expect.stringMatching(/^warning {2}RPC_URL .*\n.*\n\n1 warning\.\n$/),
    ]);
  });

  it("warns of an .env.local that every user can read", async () => {
    const folder = mkdtempSync(join(setUp.folder, "settings-"));
    writeFileSync(join(folder, ".env.local"), "SITE_NAME=Market", { mode: 0o644 });
    const { code, output } = await raisebookIn(folder, {});
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^warning {2}\.env\.local can be read by every user .*\n +-> chmod 600 \.env\.local\n\n1 warning\.\n$/,
      ),
    ]);
  });

  it("exits with 2 for an unknown option", async () => {
    expect(await raisebook({}, "--mend")).toMatchObject({ code: 2, output: "" });
  });
});
