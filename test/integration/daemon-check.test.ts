/** The checks of `npm start` before it starts anything: its environment, its options, the chain and the database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { createDaemons, ESCROWS, REQUIRE_NODE, startDaemonChain } from "../harness/daemon.ts";
import { startPostgres } from "../harness/postgres.ts";

const { run, serve, place } = createDaemons();
let chain: LocalChain;
beforeAll(async () => {
  chain = await startDaemonChain();
});

describe.concurrent("npm start", () => {
  it("lists every problem of the environment and exits 1", async ({ expect }) => {
    const { folder } = await place(chain.rpcUrl);
    const files = { KNOWLEDGE: "nowhere", SITE_LOGO: "nowhere.svg" };
    const { ended, output } = run(folder, { PORT: "x", ...files });
    expect(await ended).toBe(1);
    for (const line of [
      "6 problems",
      "RPC_URLS is required",
      "ESCROWS or ESCROW_FACTORY",
      "REGISTRY is",
      "PORT must",
      "KNOWLEDGE cannot be used (nowhere)",
      "SITE_LOGO cannot be used (nowhere.svg)",
    ]) {
      expect(output()).toContain(line);
    }
    expect(output()).not.toContain("    at ");
  });

  it.for([
    ["npm start", run],
    ["npm run serve", serve],
  ] as const)(
    "lists every problem as a line of JSON where the log has such lines (%s)",
    async ([, program], { expect }) => {
      const { folder } = await place(chain.rpcUrl);
      const { ended, output } = program(folder, { PORT: "x", LOG_FORMAT: "json" });
      expect(await ended).toBe(1);
      const lines = output().trim().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { level: "error", variable: "RPC_URLS", problem: expect.stringContaining("required") },
        { level: "error", variable: "ESCROWS" },
        { level: "error", variable: "REGISTRY" },
        { level: "error", variable: "PORT", problem: expect.stringContaining("must be an integer") },
      ]);
    },
  );

  it("prints its help, and refuses an unknown option with it", async ({ expect }) => {
    const { folder, env } = await place(chain.rpcUrl);
    const help = run(folder, {}, "--help");
    expect([await help.ended, help.output()]).toEqual([0, expect.stringContaining("Usage: raisebook start")]);
    const unknown = run(folder, env, "--chekc");
    expect([await unknown.ended, unknown.output()]).toEqual([
      2,
      expect.stringMatching(/^error: unknown option '--chekc'\n\(Did you mean --check\?\)/),
    ]);
  });

  it("checks without starting", async ({ expect }) => {
    const { folder, env } = await place(chain.rpcUrl);
    const good = run(folder, { ...env, RPC_URL: "http://127.0.0.1/hunter2" }, "--check");
    expect([await good.ended, good.output()]).toEqual([0, expect.stringContaining("All checks passed")]);
    expect(good.output()).toMatch(/WARN {2}RPC_URL is set, but nothing reads it; did you mean RPC_URLS\?/);
    expect(good.output()).not.toContain("hunter2");
    const missing = run(folder, { ...env, ESCROWS: "", REGISTRY: "none.json" }, "--check");
    expect(await missing.ended).toBe(1);
    expect(missing.output()).toContain("ESCROWS or ESCROW_FACTORY is required");
    expect(missing.output()).toContain("REGISTRY cannot be used (none.json)");
    const bad = run(
      folder,
      { ...env, ESCROWS: `0x${"d0".repeat(20)}@0`, REGISTRY: "none.json", LOG_FORMAT: "json" },
      "--check",
    );
    expect(await bad.ended).toBe(1);
    const logged = bad
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { level: string; variable?: string });
    expect(logged.filter(({ level }) => level === "error").map(({ variable }) => variable)).toEqual([
      "ESCROWS",
      "REGISTRY",
    ]);
  });

  it("refuses a database in which the user may create nothing", async ({ expect, onTestFinished }) => {
    const [{ folder, env }, postgres] = [await place(chain.rpcUrl), await startPostgres()];
    const user = `check_${process.pid}`;
    onTestFinished(async () => {
      await postgres.query(`DROP ROLE ${user}`);
      await postgres.stop();
    });
    await postgres.query(`CREATE ROLE ${user} LOGIN PASSWORD 'hunter2'`);
    const url = Object.assign(new URL(postgres.connectionString), { username: user, password: "hunter2" });
    const { ended, output } = run(
      folder,
      { ...env, RAISEBOOK_DATA_DIR: "", DATABASE_URL: url.href },
      "--check",
    );
    expect(await ended).toBe(1);
    expect(output()).toContain(`DATABASE_URL does not let the user ${user} create schemas`);
    expect(output()).toContain(`GRANT CREATE ON DATABASE "${url.pathname.slice(1)}" TO "${user}";`);
    expect(output()).not.toContain("hunter2");
  });

  it("reads .env.local and .env, lets what is set win, and warns of a file that every user can read", async ({
    expect,
  }) => {
    const { folder, env, port } = await place(chain.rpcUrl);
    const local = `RPC_URLS=${chain.rpcUrl}\nPORT=x\nESCROWS=${ESCROWS[0]}@0\n`;
    writeFileSync(join(folder, ".env.local"), local, { mode: 0o644 });
    writeFileSync(join(folder, ".env"), `REGISTRY=${env.REGISTRY}\nESCROWS=nonsense\n`, { mode: 0o600 });
    const { ended, output } = run(folder, { PORT: String(port) }, "--check");
    expect([await ended, output()]).toEqual([0, expect.stringContaining("All checks passed")]);
    expect(output()).toContain(".env.local can be read by every user of this machine (mode 644)");
    expect(output()).not.toContain(".env can be read");
  });

  it("says what listens on its port, and does not hang on a node that answers nothing", async ({
    expect,
  }) => {
    const { folder, env, port } = await place(chain.rpcUrl);
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    try {
      const { ended, output } = run(folder, { ...env, RPC_URLS: `http://127.0.0.1:${port}/secretkey` });
      expect(await ended).toBe(1);
      expect(output()).toContain(`something is already listening on 127.0.0.1:${port}`);
      expect(output()).toContain(
        `RPC_URLS at http://127.0.0.1:${port} did not answer eth_chainId within 10 s`,
      );
      expect(output()).not.toContain("secretkey");
    } finally {
      silent.close();
    }
  });

  it("ends at once when it is told to while it checks", async ({ expect }) => {
    const { folder, env, port } = await place(chain.rpcUrl);
    const silent = createServer(() => {});
    const asked = once(silent, "connection");
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${port}`;
    const { child, ended, output } = run(folder, { ...env, RPC_URLS: url, PORT: String(port + 1) });
    await asked;
    child.kill("SIGINT");
    expect(await ended, output()).toBe(0);
    expect(output()).toContain("Stopping cause=SIGINT");
    silent.close();
  });
});

describe("the check of Node's version", () => {
  const pretend = (version: string) => {
    const script = `Object.defineProperty(process.versions, "node", { value: "${version}" }); await import("${REQUIRE_NODE}");`;
    return spawn(process.execPath, ["--input-type=module", "--eval", script]);
  };

  it.each([
    ["20.20.2", 1],
    ["9.0.0", 1],
    ["22.0.0", 0],
    ["100.0.0", 0],
  ])("answers to Node %s with exit code %d", async (version, expected) => {
    const child = pretend(version);
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(expected);
    if (expected === 1) expect(output).toContain(`needs Node.js 22 or newer; this is ${version}`);
    else expect(output).toBe("");
  });
});
