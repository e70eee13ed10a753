/** Modules of contracts: what is wrong with one, and what follows from one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { SettingsError } from "../../config/problems.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { readDocument } from "../../test/harness/documents/document.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { ANNA, DEPOSITED, deposit, ESCROW, PLACE } from "../../test/harness/raw-deposit.ts";
import { compileModule } from "./compile.ts";
import { contractsOf, mapRawLog, missingParts } from "./contracts.ts";

const FOREIGN = fileURLToPath(new URL("../../test/harness/foreign/module.ts", import.meta.url));

const folder = temporaryFolder();

const settingsWith = (path: string) =>
  readSettings({
    ...{ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `${ESCROW}@1`, REGISTRY: "r.json" },
    CONTRACTS: path,
  });
function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
function problemsOf(module: unknown): string[] {
  const problems: string[] = [];
  compileModule(module, problems);
  return problems;
}

const LEAST = { name: "Ours", escrow: { abi: [], events: {} } };
/** A part with one event. */
const ONE = { abi: [DEPOSITED], events: { Deposited: () => null } };

describe("a module", () => {
  it.each<[string, unknown, string[]]>([
    ["that is none", undefined, ["there is no default export, or it is no object"]],
    ["without a name", { escrow: LEAST.escrow }, ["name: expected a text"]],
    [
      "with an unknown part",
      { ...LEAST, escrows: {} },
      ["escrows: unknown; there are name, escrow, factory, desk"],
    ],
    [
      "with misspelt parts",
      {
        name: "Ours",
        escrow: { ...LEAST.escrow, decimal: 6, token: { event: "T", parameter: "t", claim: true } },
        factory: { event: "event New(address raise)", escrow: "raise", start: 1 },
        desk: { ...LEAST.escrow, decimal: 6 },
      },
      [
        "escrow.decimal: unknown; there are abi, decimals, onchainId, events, closesAtTarget, token, views, dollar, numbered",
        "escrow.token.claim: unknown; there are event, parameter, claims",
        "factory.start: unknown; there are event, escrow",
        "desk.decimal: unknown; there are abi, decimals, events",
        "escrow.token.event: the ABI has no such event",
      ],
    ],
    [
      "with what is no ABI item, and no token",
      { name: "Ours", escrow: { abi: [5, null, {}], events: {}, token: null } },
      [
        ...[0, 1, 2].map(
          (index) => `escrow.abi[${index}]: is no ABI item: expected a text, or an object with a type`,
        ),
        "escrow.token: expected an object with event and parameter",
      ],
    ],
    ["without an escrow", { name: "Ours" }, ["escrow: expected an object with abi and events"]],
    [
      "with more than one problem",
      {
        name: "Ours",
        escrow: {
          abi: ["event Broken(", DEPOSITED, "function f()"],
          decimals: 19,
          events: { Lent: () => null, Deposited: 1 },
        },
      },
      [
        expect.stringMatching(/^escrow\.abi\[0\]: is no ABI item: /) as unknown as string,
        "escrow.decimals: expected a whole number from 0 to 18",
        "escrow.events.Lent: the ABI has no such event",
        "escrow.events.Deposited: expected a function",
      ],
    ],
    [
      "with an overloaded name",
      { name: "Ours", escrow: { ...ONE, abi: [DEPOSITED, "event Deposited(uint256 id)"] } },
      [
        "escrow.events.Deposited: the ABI has several: name one by its signature, such as Deposited(uint256,address,uint256)",
      ],
    ],
    [
      "with two handlers for one event",
      {
        name: "Ours",
        escrow: { ...ONE, events: { ...ONE.events, "Deposited(uint256,address,uint256)": () => null } },
      },
      ["escrow.events.Deposited(uint256,address,uint256): handles the same event as escrow.events.Deposited"],
    ],
    [
      "with an event of which the ABI has two forms that only topics tell apart",
      {
        name: "Ours",
        escrow: { ...ONE, abi: [DEPOSITED, DEPOSITED, DEPOSITED.replace("address indexed", "address")] },
      },
      [
        "escrow.events.Deposited: the ABI has it with different indexed parameters: keep the one that the contract emits",
      ],
    ],
    [
      "with an event of escrow and desk",
      { name: "Ours", escrow: ONE, desk: ONE },
      ["desk.events.Deposited: is an event of the escrow too"],
    ],
    [
      "that closes at the target and says itself when it has closed",
      {
        name: "Ours",
        escrow: { ...ONE, closesAtTarget: true, events: { Deposited: () => ({ kind: "listing_closed" }) } },
      },
      ["escrow.closesAtTarget: a handler maps an event to listing_closed, which says when a raise closes"],
    ],
    [
      "that closes somehow",
      { name: "Ours", escrow: { ...LEAST.escrow, closesAtTarget: "yes" } },
      ["escrow.closesAtTarget: expected true or false"],
    ],
    [
      "with a factory that announces nothing",
      { ...LEAST, factory: { event: "event RaiseDeployed(uint256 raise)", escrow: "raise" } },
      ["factory.escrow: RaiseDeployed has no address named raise"],
    ],
  ])("%s names every problem", (_, module, problems) => {
    expect(problemsOf(module)).toEqual(problems);
  });

  it("is read from its file, in TypeScript too, with what it imports", () => {
    write("amounts.ts", "export const ours = (amount: bigint): bigint => amount * 2n;");
    const path = write(
      "module.ts",
      `import { ours } from "./amounts.ts";
      export default { name: "Ours" as string, escrow: { abi: ["${DEPOSITED}"], onchainId: () => 1n, events: {
        Deposited: ({ args }: { args: any }) => ({ kind: "subscribed", backer: args.investor, amount: ours(args.amount) }) } } };`,
    );
    const contracts = contractsOf(settingsWith(path));
    expect(contracts.name).toBe("Ours");
    const [mapped] = mapRawLog(contracts, deposit(4n), PLACE);
    expect(mapped?.content).toMatchObject({ onchainId: 1n, event: { args: { amount: 8n } } });
  });

  it.each([
    ["condition", fileURLToPath(import.meta.resolve("viem"))],
    ["field", "./package/node.js"],
  ])("may import a package that needs Node's own modules only in Node, as it says by a %s", (by, address) => {
    mkdirSync(join(folder, "package"), { recursive: true });
    write("package/package.json", '{ "browser": { "./node.js": "./browser.js" } }');
    write("package/node.js", 'module.exports = require("node:crypto");');
    write("package/browser.js", "exports.hexToBigInt = BigInt;");
    const path = write(
      `${by}.mjs`,
      `import { hexToBigInt } from ${JSON.stringify(address)};
      export default { name: "Ours", escrow: { abi: ["${DEPOSITED}"], onchainId: () => hexToBigInt("0x12"), events: { Deposited: () => ({ kind: "listing_voided" }) } } };`,
    );
    const [mapped] = mapRawLog(contractsOf(settingsWith(path)), deposit(4n), PLACE);
    expect(mapped).toMatchObject({ content: { onchainId: 18n }, problem: null });
  });

  it.each([
    [
      "that does not parse",
      "export default {",
      /CONTRACTS cannot be read:\n {4}- .*that-does-not-parse\.mjs:1:17: /,
    ],
    ["that imports what is not there", 'import "./nothing.mjs";', /Could not resolve/],
    ["that throws as it is loaded", "throw new Error('no luck')", /it cannot be loaded: no luck/],
    ["that asks for the time", "const now = Date.now();", /loaded: Date\.now\(\) is not available/],
    ["without a handler", "export default { name: 'A', escrow: { abi: [], events: {} } };", /has no handler/],
    [
      "whose default export is a function",
      "export default () => 1;",
      /there is no default export, or it is no object/,
    ],
  ])("%s is refused", (name, text, problem) => {
    const path = write(`${name.replaceAll(/\W/g, "-")}.mjs`, text);
    expect(() => contractsOf(settingsWith(path))).toThrow(problem);
    expect(() => contractsOf(settingsWith(path))).toThrow(SettingsError);
  });

  it("is refused if it does not exist, without repeating what may be a key", () => {
    expect(() => settingsWith("https://key@rpc.example")).toThrow(/CONTRACTS names no file/);
    expect(() => settingsWith("https://key@rpc.example")).not.toThrow(/key/);
  });

  it("is part of the schema's name", () => {
    const one = write("one.mjs", "export default { name: 'One' };");
    const other = write("other.mjs", "export default { name: 'Other' };");
    const names = [one, other, ""].map((path) => schemaNameOf(settingsWith(path)));
    expect(new Set(names).size).toBe(3);
  });

  it("has the same schema wherever it is and whoever reads it: a command may run in another folder", () => {
    const text = "export default { name: 'Same' };";
    const names = ["a", "b"].map((name) => {
      mkdirSync(join(folder, name));
      return schemaNameOf(settingsWith(write(`${name}/contracts.mjs`, text)));
    });
    expect(names[0]).toBe(names[1]);
  });

  it("from the documents follows the events that it names", () => {
    const snippet = readDocument("docs/contracts.md").snippets.find(({ words }) => words[0] === "contracts");
    const { name, escrow } = contractsOf(settingsWith(write("documented.mjs", snippet?.text ?? "")));
    expect([name, escrow.decimals]).toEqual(["Harbor Lending", 6]);
    expect(escrow.events.map(({ ponderName }) => ponderName)).toEqual([
      "RaiseOpened",
      "Deposited",
      "PaymentMade",
    ]);
    const opened = escrow.events[0]?.map(
      {
        raiseId: 1n,
        owner: ANNA,
        token: ESCROW,
        code: "HL00001",
        goal: 5n,
        floor: 1n,
        rate: 900,
        term: 90,
        opens: 1n,
        deadline: 0n,
      },
      PLACE,
    );
    expect(opened).toMatchObject([
      {
        content: { event: { args: { terms: { targetAmount: 5_000_000_000_000n, closeAt: null } } } },
        problem: null,
      },
    ]);
  });

  it("has derived what it maps no event to, by the kinds that its text names", () => {
    const derived = (path: string | null) =>
      contractsOf(path === null ? { contracts: null } : settingsWith(path));
    const nothing = {
      ...{ derivesCreation: false, derivesClose: false, closesAtTarget: false },
      ...{ derivesDrawdown: false, derivesSettlement: false },
    };
    expect(derived(null).lifecycle).toEqual(nothing);
    expect(derived(FOREIGN).lifecycle).toEqual(nothing);
    const three = fileURLToPath(new URL("../../test/harness/foreign/three-events.ts", import.meta.url));
    const every = Object.fromEntries(Object.keys(nothing).map((name) => [name, true]));
    expect(derived(three).lifecycle).toEqual(every);
    expect([...derived(three).unknowable]).toEqual(["unknown_listing", "repaid_before_drawdown"]);
    write("kinds.mjs", 'export const lent = () => ({ kind: "drawn_down", amount: 1n });');
    const path = write(
      "some.mjs",
      `import { lent } from "./kinds.mjs"; // listing_settled, "listing_settled"
      export default { name: "Some", escrow: { abi: [${JSON.stringify(DEPOSITED)}], events: { Deposited: lent } } };`,
    );
    expect(derived(path).lifecycle).toEqual({ ...every, closesAtTarget: false, derivesDrawdown: false });
  });

  it("for another market maps every one of its events", () => {
    const { escrow } = contractsOf(settingsWith(FOREIGN));
    expect(escrow.events.map(({ ponderName }) => ponderName)).toContain(
      "Deposited(uint256 indexed raiseId, address indexed investor, address indexed by, uint256 amount)",
    );
    expect(escrow.events).toHaveLength(13);
    expect(parseAbiItem(DEPOSITED).type).toBe("event");
  });
});

it("needs tokens that events name, for holders and a desk", () => {
  const module = (created: string) =>
    write(
      `${created || "untold"}.mjs`,
      `export default { name: "Tokens", escrow: { abi: ["${DEPOSITED}"], onchainId: ({ args }) => args.id,
        events: { Deposited: ({ args }) => ({ kind: "${created || "subscribed"}" }) }, token: { event: "Deposited", parameter: "investor" } },
        desk: { abi: [], events: {} } };`,
    );
  const desk = { address: ESCROW, startBlock: 1 };
  const problems = (created: string, more: object) =>
    missingParts({ ...settingsWith(module(created)), ...more }).map(({ variable }) => variable);
  expect(problems("listing_created", { holders: true, desk })).toEqual([]);
  expect(problems("", { holders: true, desk })).toEqual(["HOLDERS", "DESK"]);
  expect(problems("", { holders: true })).toEqual(["HOLDERS"]);
  expect(problems("", {})).toEqual([]);
});

it("cannot count holders where the escrow has the event of a token's transfer", () => {
  const module = (event: string) =>
    write(
      `${event}.mjs`,
      `export default { name: "Vaults", escrow: {
        abi: ["event Transfer(address indexed from, address indexed to, uint256 value)", "event Paid(address indexed from, uint256 value)"],
        onchainId: () => 1n,
        events: { ${event}: ({ args }) => [{ kind: "listing_created" }, { kind: "subscribed", backer: args.from, amount: args.value }] },
        token: { event: "Paid", parameter: "from" },
      } };`,
    );
  const problems = (event: string, holders = true) =>
    missingParts({ ...settingsWith(module(event)), holders }).map(({ variable }) => variable);
  expect(problems("Paid")).toEqual([]);
  expect(problems("Transfer")).toEqual(["HOLDERS"]);
  expect(problems("Transfer", false)).toEqual([]);
});
