/**
 * `raisebook db export` and `raisebook db import`: a file of a running service starts others without a question about its blocks,
 * with the rows of ordinary indexing, and no file is believed that the chain contradicts.
 */

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { counted } from "../../config/format/counted.ts";
import { FAST_FORWARD_TABLE } from "../../config/table-names.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { addressAndBlock } from "../../demo/deploy.ts";
import { lockDataDirectory } from "../../operate/daemon/data-lock.ts";
import { takeFirstLedger } from "../../operate/daemon/first-ledger.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { createDaemons, type DaemonPlace } from "../harness/daemon.ts";
import { emit, events, tokenOf } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { forged } from "../harness/forge.ts";
import { random } from "../harness/history/random.ts";
import { noteLogBlocks } from "../harness/noted-logs.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { playRogueHistory } from "../harness/rogue-history.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Outcome, RAISEBOOK, runProgram } from "../harness/run-program.ts";
import { type Served, serve } from "../harness/serve.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";
import { embeddedTableTexts, tableTexts } from "../harness/table-texts.ts";

const FOLDED = "Folded the ledger of an imported file";

const folder = temporaryFolder();
let chain: LocalChain;
/** of the service that indexes event by event, of one that imports, and of others that do */
let ordinary: Postgres;
let imported: Postgres;
let other: Postgres;
let listed: Deployment;
let announced: Deployment;
let stranger: Deployment;
let contracts: Pick<ServiceOptions, "escrows" | "factory" | "desk">;
let judge: Service;
/** the exported file, and what export says of it */
let file: string;
let report: { events: number; schema: string; lastBlock: { number: number; hash: string } };

const head = () => chain.publicClient.getBlockNumber();

/** The command as an operator runs it. */
function raisebook(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return run(env, RAISEBOOK, ...args);
}

function run(env: Record<string, string>, program: string, ...args: string[]): Promise<Outcome> {
  return runProgram(program, args, { cwd: folder, env: { ...settings(), ...env } });
}

const settings = () => ({
  ...{ RPC_URLS: chain.rpcUrl, ESCROWS: contracts.escrows?.join(",") ?? "" },
  ...{ ESCROW_FACTORY: contracts.factory ?? "", DESK: contracts.desk ?? "", REGISTRY: "registry.json" },
});
const onPostgres = ({ connectionString }: Postgres) => ({ DATABASE_URL: connectionString });
const embedded = (name: string) => ({ RAISEBOOK_DATA_DIR: join(folder, name) });

function start(options: Partial<ServiceOptions>): Promise<Service> {
  const registry = registryOf({ listed: listed.address, announced: announced.address }, 5);
  return startService({ rpcUrl: chain.rpcUrl, registry, ...contracts, ...options });
}

beforeAll(async () => {
  file = join(folder, "book.ledger.gz");
  [chain, ordinary, imported, other] = await Promise.all([
    startChain({ genesisTimestamp: 1_600_000_000 }),
    startPostgres(),
    startPostgres(),
    startPostgres(),
  ]);
  const factory = await deployRogueEscrow(chain);
  listed = await deployRogueEscrow(chain);
  announced = await deployRogueEscrow(chain);
  stranger = await deployRogueEscrow(chain);
  const desk = await deployRogueEscrow(chain);
  contracts = {
    escrows: [addressAndBlock(listed)],
    factory: addressAndBlock(factory),
    desk: addressAndBlock(desk),
  };

  await playRogueHistory(chain, listed.address, { random: random(5), ids: 12, blocks: 30 });
  await emit(chain, announced.address, events.created(1n, { token: tokenOf(77n) }));
  await emit(chain, factory.address, events.deployed(announced.address));
  await emit(
    chain,
    announced.address,
    events.created(2n, { token: tokenOf(78n), refnum: "RB\u0000\\\t\n\u2028" }),
  );
  await emit(chain, announced.address, events.subscribed(2n, 2n ** 200n, 2n ** 200n));
  await emit(chain, stranger.address, events.created(1n), events.subscribed(1n, 9n, 9n));
  await chain.testClient.mine({ blocks: 20 });
  const offered = events.offered(1n, tokenOf(78n), 100n);
  await emit(
    chain,
    desk.address,
    offered,
    events.filled(1n, tokenOf(78n), 40n, 39n, 60n),
    events.offered(2n, tokenOf(99n), 1n),
  );
  await chain.testClient.mine({ blocks: 12 });
  await emit(chain, desk.address, events.unoffered(1n, 60n), events.filled(9n, tokenOf(78n), 1n, 1n, 1n));
  await chain.testClient.mine({ blocks: 25 });
  await emit(chain, listed.address, events.subscribed(1n, 3n, 3n));
  await chain.testClient.mine({ blocks: 10 });

  judge = await start({ env: { ...onPostgres(ordinary), FAST_FORWARD: "false" } });
  await judge.indexed(await head());
  const { output, errors } = await raisebook(onPostgres(ordinary), "db", "export", file, "--json");
  expect(errors).toBe("");
  report = JSON.parse(output);
});

test("export writes all that is final, and nothing that is not", async () => {
  const { number, hash } = report.lastBlock;
  expect((await chain.publicClient.getBlock({ blockNumber: BigInt(number) })).hash).toBe(hash);
  expect(Number(await head()) - number).toBe(30);
  const count = `SELECT count(*)::int AS events FROM ${report.schema}.ledger`;
  const [all] = await ordinary.query(count);
  const [final] = await ordinary.query(`${count} WHERE block_number <= ${number}`);
  expect(final?.events).toBe(report.events);
  expect(all?.events).toBeGreaterThan(report.events);
});

describe("a server that imports", () => {
  const calm = "calm";

  test("asks for no logs of the file's blocks, and has the rows of ordinary indexing", async () => {
    const expected = await tableTexts(ordinary.query, report.schema);
    for (const [name, rows] of Object.entries(expected)) {
      if (name !== "token_holder") expect(rows.length, name).toBeGreaterThan(0);
    }
    const places = [onPostgres(imported), embedded(calm)];
    for (const outcome of await Promise.all(places.map((place) => raisebook(place, "db", "import", file)))) {
      expect(outcome, outcome.errors).toMatchObject({ code: 0, errors: "" });
      expect(outcome.output).toMatch(
        /^Imported [\d,]+ events .*\nCompared with the chain: all \d+ blocks with events\.$/m,
      );
      expect(outcome.output).toMatch(/Events that do not add up, as on the chain: .*\d total_mismatch/);
    }
    const [one, two] = [await noteLogBlocks(chain), await noteLogBlocks(chain)];
    const [server, small] = await Promise.all([
      start({ rpcUrl: one.proxy.url, env: onPostgres(imported) }),
      start({ rpcUrl: two.proxy.url, dataDirectory: join(folder, calm) }),
    ]);
    for (const service of [server, small]) {
      await service.indexed(await head());
      expect(service.hasSaid(FOLDED)).toBe(true);
    }
    await small.stop();
    expect(await tableTexts(imported.query, report.schema)).toEqual(expected);
    expect(await embeddedTableTexts(join(folder, calm, "pglite"), report.schema)).toEqual(expected);
    for (const { asked } of [one, two]) {
      const blocks = await asked();
      expect(blocks.length).toBeGreaterThan(0);
      expect(Math.min(...blocks)).toBeGreaterThan(report.lastBlock.number);
    }
    // Used once.
    expect(existsSync(join(folder, calm, "import.ledger.gz"))).toBe(false);
    expect(await imported.query("SELECT FROM raisebook_import.ledger_file")).toEqual([]);
  });

  test("exports the same bytes, from either database", async () => {
    const bytes = await readFile(file);
    const copy = join(folder, "copy.ledger.gz");
    const outcomes = [
      await raisebook(onPostgres(imported), "db", "export", copy),
      await raisebook(embedded(calm), "db", "export", `${copy}.2`),
    ];
    for (const { output } of outcomes)
      expect(output).toContain(`Exported ${counted(report.events, "events")} up to block`);
    expect(await readFile(copy)).toEqual(bytes);
    expect(await readFile(`${copy}.2`)).toEqual(bytes);
    const piped = ["-c", '"$0" db export - --json > "$1"', RAISEBOOK, `${copy}.3`];
    const { code, errors } = await run(onPostgres(imported), "sh", ...piped);
    expect(code, errors).toBe(0);
    expect(JSON.parse(errors)).toEqual({ ...report, file: null, bytes: null });
    expect(await readFile(`${copy}.3`)).toEqual(bytes);
  });

  test("needs importing once", async () => {
    const again = await Promise.all(
      [onPostgres(imported), embedded(calm)].map((place) => raisebook(place, "db", "import", file, "--json")),
    );
    for (const { code, output } of again) {
      expect(code).toBe(3);
      expect(JSON.parse(output)).toEqual({ imported: false, filledUpTo: report.lastBlock.number });
    }
  });

  test("has to be stopped where its database is embedded", async () => {
    const lock = await lockDataDirectory(join(folder, calm));
    const outcome = await raisebook(embedded(calm), "db", "export", join(folder, "none.gz")).finally(
      lock.release,
    );
    expect(outcome.code).toBe(1);
    expect(outcome.errors).toContain(`is in use by process ${process.pid}`);
    expect(existsSync(join(folder, "none.gz"))).toBe(false);
  });
});

describe.concurrent("a file that the chain contradicts is refused, and nothing is changed", () => {
  type Change = (lines: string[]) => string[];
  const blockIn = (line: string) => /"eventId":"\d{26}(\d{16})/.exec(line)?.[1];
  const replaced = (lines: string[], at: number, from: string | RegExp, to: string) =>
    lines.with(at, lines[at]?.replace(from, to) ?? "");

  test.for<[string, string, Change]>([
    [
      "an amount",
      "and the file has",
      (lines) => {
        const at = lines.findLastIndex((line) => line.includes('"kind":"subscribed"'));
        return replaced(lines, at, '"amount":"', '"amount":"1');
      },
    ],
    [
      "a block left out",
      "and the file has",
      (lines) => lines.filter((line, index) => index === 0 || blockIn(line) !== blockIn(lines.at(-1) ?? "")),
    ],
    [
      "an event of the desk",
      "and the file has",
      (lines) => lines.map((line) => line.replace('"cost":"39"', '"cost":"38"')),
    ],
    [
      "an escrow that was never announced",
      "the factory has announced no escrow",
      (lines) =>
        replaced(lines, 0, "[[", `[["${stranger.address.toLowerCase()}",${report.lastBlock.number}],[`),
    ],
    ["an announcement left out", "is of another escrow", (lines) => replaced(lines, 0, /\[\[.*\]\]/, "[]")],
  ])("%s", async ([name, problem, change]) => {
    const path = join(folder, `${name}.gz`);
    await writeFile(path, forged(await readFile(file), change));
    const outcome = await raisebook(onPostgres(other), "db", "import", path);
    expect(outcome).toMatchObject({ code: 1, output: "" });
    expect(outcome.errors).toContain(problem);
    expect(await other.query("SELECT FROM pg_namespace WHERE nspname = 'raisebook_import'")).toEqual([]);
  });

  test("other contracts than those of the settings", async () => {
    const { code, errors } = await raisebook({ ...onPostgres(other), DESK: "" }, "db", "import", file);
    expect(code).toBe(1);
    expect(errors).toContain(`DESK: ${contracts.desk?.toLowerCase()} in the file, none in the settings`);
  });
});

describe("a first start with LEDGER", () => {
  const daemons = createDaemons();
  let answer: (response: ServerResponse, headers: IncomingHttpHeaders) => void;
  let asked: string[] = [];
  let server: Served;
  let ledger: string;

  beforeAll(async () => {
    server = await serve(({ url, headers }, response) => {
      asked.push(`${url}`);
      if (url === "/moved") response.writeHead(302, { location: "/book.ledger.gz" }).end();
      else answer(response, headers);
    });
    ledger = `http://reader:secret123@127.0.0.1:${server.port}/moved`;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => server.stop());

  const startWith = async (env: Record<string, string>) => startIn(await daemons.place(chain.rpcUrl), env);

  async function startIn(place: DaemonPlace, env: Record<string, string>) {
    const own = {
      ESCROWS: addressAndBlock(listed),
      ESCROW_FACTORY: contracts.factory ?? "",
      DESK: contracts.desk ?? "",
    };
    return { ...place, run: daemons.run(place.folder, { ...place.env, ...own, LOG_FORMAT: "json", ...env }) };
  }

  test("fetches it, and begins within minutes behind an endpoint that gives ten blocks a call", async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    const ranges: { from: number; to: number }[] = [];
    proxy.answers = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock?: Hex; toBlock?: Hex }];
      if (fromBlock === undefined || toBlock === undefined) return undefined;
      const [from, to] = [Number(fromBlock), Number(toBlock)];
      if (to - from >= 10) throw new Error("eth_getLogs is limited to a 10 blocks range");
      ranges.push({ from, to });
      return undefined;
    };
    const bytes = await readFile(file);
    answer = (response, { authorization }) => {
      expect(authorization).toBe(`Basic ${Buffer.from("reader:secret123").toString("base64")}`);
      response.end(bytes);
    };
    const { run, port } = await startWith({ RPC_URLS: proxy.url, LEDGER: ledger });
    const isReady = async () => expect((await fetch(`http://127.0.0.1:${port}/v1/ready`)).ok).toBe(true);
    await vi.waitFor(isReady, PATIENCE);
    expect(asked).toEqual(["/moved", "/book.ledger.gz"]);
    expect(run.output()).toContain("The ledger file agrees with the chain");
    expect(run.output()).toContain(FOLDED);
    expect(run.output()).not.toContain("secret123");
    expect(ranges.length).toBeGreaterThan(0);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });

  test.for<[string, string, typeof answer]>([
    ["is not there", "its server answered 404", (response) => response.writeHead(404).end()],
    ["breaks off", "it could not be fetched", (response) => response.write("a", () => response.destroy())],
    ["is no ledger file", "it cannot be unpacked", (response) => response.end("<html>")],
    [
      "leads to a server without https",
      "its server redirects to a URL that is not https",
      (response) => response.writeHead(302, { location: "http://a.example/" }).end(),
    ],
  ])("refuses one that %s, and has changed nothing", async ([, problem, handler]) => {
    answer = handler;
    const { run } = await startWith({ LEDGER: ledger });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain(`LEDGER","problem":"cannot be used: ${problem}`);
    expect(run.output()).not.toContain("secret123");
  });

  test("refuses a folder, and says so", async () => {
    const { run } = await startWith({ LEDGER: folder });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain('LEDGER","problem":"cannot be used: it is no regular file');
    const { errors } = await raisebook(onPostgres(other), "db", "import", folder);
    expect(errors).toContain(`${folder} cannot be imported: it is no regular file`);
  });

  test("refuses one that its endpoint has not reached, and says so", async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    const last = `0x${report.lastBlock.number.toString(16)}`;
    proxy.answers = ({ method, params }) =>
      method === "eth_getBlockByNumber" && params?.[0] === last ? null : undefined;
    const { run } = await startWith({ RPC_URLS: proxy.url, LEDGER: file });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain(
      `LEDGER","problem":"cannot be used: the endpoints have no block ${report.lastBlock.number}`,
    );
  });

  test("takes the place of a damaged file that an import has left", async () => {
    const place = await daemons.place(chain.rpcUrl);
    await mkdir(join(place.folder, "data"));
    await writeFile(join(place.folder, "data", "import.ledger.gz"), "damaged");
    const { run } = await startIn(place, { LEDGER: file });
    await expect.poll(() => run.output().includes(FOLDED), PATIENCE).toBe(true);
    expect(run.output()).toContain("The imported ledger file cannot be read");
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });

  const take = (env: Record<string, string>, { signal }: AbortController) =>
    takeFirstLedger(
      readSettings({ ...settings(), LEDGER: file, ...env }),
      { info: () => {}, warn: () => {} },
      signal,
    );

  test("is not blamed for what fails besides it", async () => {
    const taking = take({ RAISEBOOK_DATA_DIR: join(file, "data") }, new AbortController());
    await expect(taking).rejects.toThrow("ENOTDIR");
  });

  test("is over as soon as it is asked to stop", async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    proxy.logsWaitFor = new Promise(() => {});
    const stopping = new AbortController();
    const taking = take({ RPC_URLS: proxy.url, ...embedded("stopped") }, stopping);
    await expect.poll(() => proxy.asked("eth_getLogs"), PATIENCE).toBeGreaterThan(0);
    stopping.abort();
    expect(await taking).toBeNull();
    expect(existsSync(join(folder, "stopped"))).toBe(false);
  });
});

test("endpoints without old logs: it is imported, with a warning that says so", async () => {
  const proxy = await startRpcProxy(chain.rpcUrl);
  proxy.answers = ({ method }) => {
    if (method === "eth_getLogs") throw new Error("history has been pruned");
    return undefined;
  };
  const place = { ...onPostgres(other), RPC_URLS: `${proxy.url}/v2/secretkey` };
  const { code, output, errors } = await raisebook(place, "db", "import", file, "--json");
  expect(errors).toContain("the endpoints refused old logs");
  expect(errors).not.toContain("secretkey");
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ imported: true, events: report.events, compared: 0 });
});

test("a file that waits is not used for other contracts", async () => {
  const service = await start({ desk: undefined, env: onPostgres(other) });
  await service.indexed(await head());
  expect(service.hasSaid("The imported ledger file is of other contracts or of another release")).toBe(true);
  expect(service.hasSaid(FOLDED)).toBe(false);
  expect(service.hasSaid("Wrote the history")).toBe(true);
  await service.stop();
});

test("export ends before what the tables lack after a restart, what is not proven, and a known gap", async () => {
  await judge.stop();
  const { schema } = report;
  const { query } = ordinary;
  const rows = await query(
    `SELECT block_number::int AS block, max(event_id) AS last FROM ${schema}.ledger
    WHERE block_number <= ${report.lastBlock.number} GROUP BY block_number ORDER BY 1 DESC LIMIT 4`,
  );
  const [, one, two, three] = rows.map(({ block, last }) => ({ block: Number(block), last: String(last) }));
  const set = (column: string, value: string | undefined) =>
    query(`UPDATE ${schema}._ponder_checkpoint SET ${column} = ${value}`);
  const lastOf = async () => {
    const outcome = await raisebook(onPostgres(ordinary), "db", "export", join(folder, "part.gz"), "--json");
    expect(outcome.errors).toBe("");
    return JSON.parse(outcome.output).lastBlock.number;
  };
  // The final block is the same, and the indexer is behind it.
  await set("final_checkpoint", "finalized_checkpoint");
  await set("safe_checkpoint", `'${one?.last}'`);
  await set("finalized_checkpoint", "safe_checkpoint");
  await query(
    `UPDATE ${schema}._ponder_meta SET value = jsonb_set(value, '{is_ready}', '0') WHERE key = 'app'`,
  );
  expect(await lastOf()).toBe(one?.block);
  const proven = { mode: "events", upTo: three?.last, proven: "1", unproven: "0", omitting: [] };
  await set("completeness", `'${JSON.stringify(proven)}'`);
  expect(await lastOf()).toBe(Number(two?.block) - 1);
  await query(`CREATE TABLE ${schema}._gap AS SELECT ${three?.block}::bigint AS block`);
  expect(await lastOf()).toBe(Number(three?.block) - 1);
});

test("a file whose blocks are gone is not used any more, nor does it outlive starting over", async () => {
  expect(await other.query("SELECT FROM raisebook_import.ledger_file")).not.toEqual([]);
  await chain.testClient.request({ method: "anvil_reorg", params: [50, []] } as never);
  await chain.testClient.mine({ blocks: 5 });
  const service = await start({ env: onPostgres(other) });
  await service.indexed(await head());
  expect(service.hasSaid(FOLDED)).toBe(false);
  const blocks = await other.query(`SELECT number, hash FROM ${report.schema}.event_block`);
  expect(blocks.length).toBeGreaterThan(20);
  for (const { number, hash } of blocks) {
    const block = await chain.publicClient.getBlock({ blockNumber: BigInt(String(number)) });
    expect(block.hash).toBe(hash);
  }
  await service.stop();
  expect(await other.query("SELECT FROM raisebook_import.ledger_file")).toEqual([]);
  await other.query(`INSERT INTO raisebook_import.ledger_file
    SELECT ledger_key, 0, 'a' FROM ${report.schema}.${FAST_FORWARD_TABLE} UNION VALUES ('of another service', 0, 'b'::bytea)`);
  const startedOver = await raisebook(onPostgres(other), "db", "prune", "--start-over", "--yes");
  expect(startedOver.output).toContain("Dropped.");
  expect(startedOver.output).toContain(
    "Kept the imported ledger file of other contracts or code: of another service\n",
  );
  expect(await other.query("SELECT ledger_key FROM raisebook_import.ledger_file")).toEqual([
    { ledger_key: "of another service" },
  ]);
});
