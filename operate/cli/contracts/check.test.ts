import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { concatHex, type Hex, toEventSelector } from "viem";
import { beforeAll, expect, it } from "vitest";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { type LocalChain, startChain } from "../../../test/harness/chain.ts";
import { BACKER, ORIGINATOR, tokenOf } from "../../../test/harness/emit.ts";
import { temporaryFolder } from "../../../test/harness/ending.ts";
import { EMITTER, FOREIGN_MODULE, logOf, logsOf, send } from "../../../test/harness/foreign/foreign.ts";
import { registryOf } from "../../../test/harness/rogue-market.ts";
import { RAISEBOOK, runProgram } from "../../../test/harness/run-program.ts";

const ESCROW: Hex = `0x${"f0".repeat(20)}`;
const folder = temporaryFolder();
let chain: LocalChain;

beforeAll(async () => {
  chain = await startChain();
  await chain.testClient.setCode({ address: ESCROW, bytecode: EMITTER });
  const opened = (id: bigint) =>
    logOf(
      ...([
        "RaiseOpened",
        id,
        ORIGINATOR,
        tokenOf(id),
        `RB0000${id}`,
        1_000n,
        100n,
        900,
        0,
        90,
        false,
        1n,
      ] as const),
      ...([4_000_000_000n, `0x${"7e".repeat(32)}`] as const),
    );
  await send(chain, ESCROW, opened(1n), opened(2n), logOf("Deposited", 1n, BACKER, 5n));
  await send(chain, ESCROW, logOf("Deposited", 1n, BACKER, 6n), logOf("Noise", 1n), logOf("Noise", 2n));
});

const raisebook = (args: string[], settings: Record<string, string> = {}) =>
  command(["contracts", ...args], settings);
function command(args: string[], settings: Record<string, string>) {
  const env = {
    ...{ HOME: folder, REGISTRY: "registry.json", RPC_URLS: chain.rpcUrl },
    ...{ ESCROWS: `${ESCROW}@0`, CONTRACTS: FOREIGN_MODULE, ...settings },
  };
  return runProgram(RAISEBOOK, args, { cwd: folder, env });
}

it("prints what each event means, what nothing follows, and the states of the listings", async () => {
  const { code, output, errors } = await raisebook(["check"]);
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toMatch(/^Harbour: 6 logs in the blocks 0 to \d+\.\n/);
  expect(output).toContain("\n2 × Deposited(uint256,address,uint256): subscribed\n  block ");
  expect(output).toContain(`→ {"onchainId":"1","kind":"subscribed","backer":"${BACKER}"`);
  expect(output).toContain("\nNot followed: 2 × Noise(uint256)\n");
  expect(output).toMatch(/\nNever seen: .*LumpSum\(uint256,uint256\)/);
  expect(output).toMatch(/\nListings: 1 funding, 1 listed\.\n$/);
});

it("counts listings with the registry's terms, and by what is derived", async () => {
  const path = join(folder, "deposits.mjs");
  const deposited = "event Deposited(uint256 indexed raiseId, address indexed investor, uint256 amount)";
  writeFileSync(
    path,
    `export default { name: "Deposits", escrow: { abi: [${JSON.stringify(deposited)}], onchainId: ({ args }) => args.raiseId,
      closesAtTarget: true, events: { Deposited: ({ args }) => ({ kind: "subscribed", backer: args.investor, amount: args.amount }) } } };`,
  );
  const { listings } = registryOf({ a: ESCROW }, 2);
  const terms = {
    ...{ targetAmount: "11", minRaise: "1", couponRateBps: 1, tenorDays: 1, insuranceBps: 1 },
    ...{ pricingMode: "fixed", goLiveAt: "2020-03-01T12:00:00Z" },
  };
  const document = {
    ...registryOf({}, 0),
    listings: listings.map((entry, index) => ({ ...entry, terms, refnum: `RB0000${index}` })),
  };
  writeFileSync(join(folder, "terms.json"), JSON.stringify(document));
  const { output } = await raisebook(["check"], { CONTRACTS: path, REGISTRY: "terms.json" });
  expect(output).toMatch(/\nListings: 1 listed, 1 live\.\n$/);
  const without = await raisebook(["check"], { CONTRACTS: path });
  expect(without.output).toMatch(/\nListings: 1 without terms\.\n$/);
  const { refnum: _, ...first } = document.listings[0] ?? {};
  writeFileSync(
    join(folder, "terms.json"),
    JSON.stringify({ ...document, listings: [first, ...document.listings.slice(1)] }),
  );
  const nameless = await raisebook(["check"], { CONTRACTS: path, REGISTRY: "terms.json" });
  expect(nameless.output).toMatch(/\nListings: 1 listed, 1 without a reference number\.\n$/);
  writeFileSync(path, readFileSync(path, "utf8").replace("closesAtTarget: true,", ""));
  const open = await raisebook(["check"], { CONTRACTS: path, REGISTRY: "terms.json" });
  expect(open.output).toMatch(
    /\n1 listing without closeAt: as no event closes one, it stays open for good\.\n$/,
  );
});

it("takes events without parameters, and counts those of a desk whose token no raise has", async () => {
  const desk: Hex = `0x${"f1".repeat(20)}`;
  const emitter: Hex = `0x${"f2".repeat(20)}`;
  for (const address of [desk, emitter]) await chain.testClient.setCode({ address, bytecode: EMITTER });
  const offered = "event Offered(uint256 indexed id, address token, address seller, uint256 amount)";
  const logs = logsOf(["event Stopped()", offered]);
  await send(chain, emitter, logs("Stopped"));
  await send(chain, desk, logs("Offered", 1n, tokenOf(9n), BACKER, 5n));
  const path = join(folder, "stopped.mjs");
  writeFileSync(
    path,
    `export default { name: "Stopped", escrow: { abi: ["event Stopped()", "event Opened()"], onchainId: ({ args }) => args.id ?? 0n,
      events: { Stopped: () => ({ kind: "listing_voided" }), Opened: () => ({ kind: "listing_created" }) } },
      desk: { abi: [${JSON.stringify(offered)}], events: { Offered: ({ args: { id, ...args } }) =>
        ({ kind: "offer_created", offerId: id, priceBps: 1, expiresAt: 1, ...args }) } } };`,
  );
  const settings = { CONTRACTS: path, ESCROWS: `${emitter}@0`, DESK: `${desk}@0` };
  const { code, output } = await raisebook(["check"], settings);
  expect([code, output]).toEqual([0, expect.stringContaining("1 × Stopped(): listing_voided")]);
  expect(output).toContain(
    "\n1 event of the desk left out: no listing_created in these blocks has the token.\n",
  );
});

it("prints the arguments as handlers get them, and says that a drawdown closes nothing", async () => {
  const emitter: Hex = `0x${"f3".repeat(20)}`;
  const lender: Hex = `0x${"ab".repeat(20)}`;
  await chain.testClient.setCode({ address: emitter, bytecode: EMITTER });
  const opened = "event Opened(uint256 indexed id, uint256 goal)";
  const [lent, batch] = ["event Lent(uint256 id, uint256)", "event Batch(uint256 id, address[] who)"];
  const logs = logsOf([opened, "event Lent(uint256 id, uint256 amount)", batch]);
  await send(chain, emitter, logs("Opened", 1n, 9n), logs("Lent", 1n, 5n), logs("Batch", 1n, [lender]));
  const path = join(folder, "lent.mjs");
  writeFileSync(
    path,
    `export default { name: "Lent", escrow: { abi: ${JSON.stringify([opened, lent, batch])}, onchainId: ({ args }) => args.id ?? args[0], events: {
      Opened: ({ args }) => ({ kind: "listing_created", refnum: "RB00001", terms: { targetAmount: args.goal, minRaise: 1, couponRateBps: 1,
        insuranceBps: 0, tenorDays: 1, pricingMode: "fixed", goLiveAt: 1, closeAt: 4e9 } }),
      Lent: ({ args }) => ({ kind: "drawn_down", amount: args[1] }),
      Batch: () => null } } };`,
  );
  const { code, output } = await raisebook(["check"], { CONTRACTS: path, ESCROWS: `${emitter}@0` });
  expect(code).toBe(0);
  expect(output).toContain(`: ["1","5"] → `);
  expect(output).toContain(`: {"id":"1","who":["${lender}"]} → nothing`);
  expect(output).toContain(
    '\n1 listing drawn down while open: if a drawdown ends the raise, return [{ kind: "listing_closed" }, { kind: "drawn_down", … }].\n',
  );
});

it("ends with 1 where a handler fails or is not pure, and says why", async () => {
  const path = join(folder, "bad.mjs");
  const [deposited] = ["event Deposited(uint256 indexed raiseId, address indexed investor, uint256 amount)"];
  const opened =
    "event RaiseOpened(uint256 indexed raiseId, address indexed owner, address indexed receipt, string code, uint256 goal, uint256 floor, uint32 rate, uint32 cover, uint32 term, bool bidding, uint64 opens, uint64 deadline, bytes32 text)";
  writeFileSync(
    path,
    `let count = 0;
    export default { name: "Bad", escrow: { abi: [${JSON.stringify(deposited)}, ${JSON.stringify(opened)}, "event Noise(uint256 value)"], onchainId: ({ args }) => args.raiseId ?? 0, events: {
      Deposited: ({ args }) => ({ kind: "subscribed", backer: args.investor, amount: ++count }),
      RaiseOpened: () => { throw new Error("no luck"); },
      Noise: async () => { throw new Error("later"); },
    } } };`,
  );
  const { code, output } = await raisebook(["check", "--json"], { CONTRACTS: path });
  expect(code).toBe(1);
  const { events } = JSON.parse(output);
  expect(events).toMatchObject([
    {
      event: "Deposited(uint256,address,uint256)",
      failures: 2,
      firstProblem: expect.stringContaining("not pure"),
    },
    { count: 2, kinds: { unmapped: 2 }, failures: 2, firstProblem: "no luck" },
    { count: 2, failures: 2, firstProblem: "a promise: handlers must not be async" },
  ]);
});

it("ends with 1 where a handler knows only from earlier logs what it answers", async () => {
  const emitter: Hex = `0x${"f4".repeat(20)}`;
  await chain.testClient.setCode({ address: emitter, bytecode: EMITTER });
  const abi = ["event Opened(uint256 indexed id, uint256 goal)", "event Ended(uint256 indexed id)"];
  const logs = logsOf(abi);
  await send(chain, emitter, logs("Opened", 1n, 9n), logs("Ended", 1n));
  const path = join(folder, "remembers.mjs");
  writeFileSync(
    path,
    `const goals = new Map();
    export default { name: "Remembers", escrow: { abi: ${JSON.stringify(abi)}, onchainId: ({ args }) => args.id, events: {
      Opened: ({ args }) => { goals.set(args.id, args.goal); return { kind: "listing_created" }; },
      Ended: ({ args }) => ({ kind: "listing_closed", raisedAmount: goals.get(args.id) }) } } };`,
  );
  const { code, output } = await raisebook(["check"], { CONTRACTS: path, ESCROWS: `${emitter}@0` });
  expect(code).toBe(1);
  expect(output).toMatch(
    /\n1 × Ended\(uint256\): listing_closed\n {2}error: 1 × the handler answered differently/,
  );
});

it("reads what the indexer follows: each escrow from its own block on, and a factory that is an escrow too", async () => {
  const [hub, child, late] = ["f5", "f6", "f7"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex, Hex];
  for (const address of [hub, child, late]) await chain.testClient.setCode({ address, bytecode: EMITTER });
  const opened = "event Opened(uint256 indexed id, uint64 opens)";
  const logs = logsOf([opened, "event Made(address raise)"]);
  // Both events in its code, as in a contract that can emit them.
  const topics = [opened, "event Made(address raise)"].map((event) => toEventSelector(event));
  await chain.testClient.setCode({ address: hub, bytecode: concatHex([EMITTER, ...topics]) });
  await send(chain, late, logs("Opened", 1n, 1n));
  await send(chain, hub, logs("Opened", 1n, 1n), logs("Made", child));
  await send(chain, child, logs("Opened", 1n, 4_000_000_000_000n));
  const head = await chain.publicClient.getBlockNumber();
  const path = join(folder, "hub.mjs");
  writeFileSync(
    path,
    `export default { name: "Hub", factory: { event: "event Made(address raise)", escrow: "raise" }, escrow: { abi: [${JSON.stringify(opened)}],
      onchainId: ({ args }) => args.id, events: { Opened: ({ args }) => ({ kind: "listing_created", refnum: "RB00001", terms: { targetAmount: 1,
        minRaise: 1, couponRateBps: 1, insuranceBps: 0, tenorDays: 1, pricingMode: "fixed", goLiveAt: args.opens, closeAt: 4e9 } }) } } };`,
  );
  const settings = { CONTRACTS: path, ESCROW_FACTORY: `${hub}@0`, ESCROWS: `${hub}@0,${late}@${head}` };
  const { code, output } = await raisebook(["check"], settings);
  expect(code).toBe(0);
  expect(output).toMatch(/^Hub: 2 logs /);
  expect(output).not.toContain("Not followed");
  expect(output).toMatch(
    /\nListings: 2 listed\.\n1 listing not shown yet: goLiveAt is later than the last block\.\n$/,
  );
  const doctor = await command(["doctor"], settings);
  expect(doctor.output).toContain("PUBLIC_URL does not answer");
  expect(doctor.output).not.toContain(`names ${hub}`);
});

it("has a listing in the registry's template that is created by the second event of a log", async () => {
  const emitter: Hex = `0x${"f8".repeat(20)}`;
  await chain.testClient.setCode({ address: emitter, bytecode: EMITTER });
  const funded = "event Funded(uint256 indexed id, address who)";
  await send(chain, emitter, logsOf([funded])("Funded", 7n, BACKER));
  const path = join(folder, "second.mjs");
  writeFileSync(
    path,
    `export default { name: "Second", escrow: { abi: [${JSON.stringify(funded)}], onchainId: ({ args }) => args.id, events: {
      Funded: ({ args }) => [{ kind: "subscribed", backer: args.who, amount: 1 }, { kind: "listing_created" }] } } };`,
  );
  const { output } = await command(["registry", "template"], {
    ...{ CONTRACTS: path, ESCROWS: `${emitter}@0`, REGISTRY: "second.json" },
  });
  expect(JSON.parse(output).listings).toMatchObject([{ escrowAddress: emitter, onchainId: "7" }]);
});

it("reads no more than it is asked to", async () => {
  const { output } = await raisebook(["check", "--limit", "2", "--json"]);
  expect(JSON.parse(output).logs).toBe(2);
  const part = await raisebook(["check", "--from", "1", "--to", "1", "--json"]);
  expect(JSON.parse(part.output)).toMatchObject({ from: 1, to: 1, logs: 1 });
});

it("names a module or a chain that cannot be used", async () => {
  const missing = await raisebook(["check"], { CONTRACTS: "nothing.mjs" });
  expect([missing.code, missing.errors]).toEqual([1, expect.stringContaining("CONTRACTS names no file")]);
  const silent = await raisebook(["check"], { RPC_URLS: "http://127.0.0.1:1" });
  expect([silent.code, silent.errors]).toEqual([1, expect.stringContaining("RPC_URLS")]);
});

it("init writes a module that check can use, and overwrites nothing", async () => {
  writeFileSync(join(folder, "abi.json"), JSON.stringify({ abi: listingEscrowAbi }));
  const written = await raisebook(["init", "abi.json"]);
  expect([written.code, written.output]).toEqual([0, expect.stringContaining("Wrote contracts.mjs")]);
  const text = readFileSync(join(folder, "contracts.mjs"), "utf8");
  expect(text).toContain('Subscribed: ({ args }) => ({ kind: "subscribed"');
  const again = await raisebook(["init", "abi.json"]);
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining("is there already")]);
  const nowhere = await raisebook(["init", "abi.json", "--output", "missing/contracts.mjs"]);
  expect([nowhere.code, nowhere.errors]).toEqual([
    1,
    expect.stringMatching(/^missing\/contracts\.mjs cannot be written: ENOENT.*\n$/),
  ]);
  const checked = await raisebook(["check"], { CONTRACTS: "contracts.mjs" });
  expect(checked.output).toContain("My market: 6 logs");
  const bad = await raisebook(["init", "contracts.mjs"]);
  expect([bad.code, bad.errors]).toEqual([1, expect.stringContaining("cannot be used")]);
});
