import { fileURLToPath } from "node:url";
import { encodeAbiParameters, type Hex, parseAbiItem, toEventSelector, toFunctionSelector } from "viem";
import { describe, expect, it, onTestFinished } from "vitest";
import { readContractsFile } from "../../config/contracts-file.ts";
import { factoryOf } from "../../src/contracts/announcement.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { serve } from "../../test/harness/serve.ts";
import { warnOfDecimals, warnOfEvents } from "./check-module.ts";

const MODULE = readContractsFile(
  fileURLToPath(new URL("../../test/harness/foreign/module.ts", import.meta.url)),
);
const CONTRACTS = contractsOf({ contracts: MODULE });
const UNKNOWN: Hex = `0x${"ab".repeat(32)}`;
const NOISE = toEventSelector("Noise(uint256)");

const RANGE = {
  ...{ from: 7, to: 900, isWhole: true },
  ...{ misfits: new Map<Hex | undefined, number>(), escrows: 1, factory: null },
};

/** Each event of the module so many times, and others. */
function seen(
  each: number,
  others: readonly (readonly [Hex, number])[] = [],
  without: readonly string[] = [],
) {
  const own = CONTRACTS.escrow.events
    .filter(({ abiItem }) => !without.includes(abiItem.name))
    .map(({ topic }) => [topic, each] as const);
  return { ...RANGE, byTopic: new Map<Hex | undefined, number>([...own, ...others]) };
}
const textOf = (counts: ReturnType<typeof seen>) =>
  warnOfEvents(CONTRACTS, counts).map(
    ({ variable, warning, remedy }) => `${variable} ${warning} -> ${remedy}`,
  );

describe("the events of a module", () => {
  it("are not worth a word if all occur, with little else", () => {
    // 13 events, 20 times each: below a twentieth.
    expect(textOf(seen(20, [[NOISE, 12]]))).toEqual([]);
  });

  it("are not worth a word before there is an escrow", () => {
    expect(textOf({ ...RANGE, byTopic: new Map(), escrows: 0 })).toEqual([]);
  });

  it("are not worth a word where nothing has happened yet and later blocks are not read", () => {
    expect(textOf({ ...RANGE, byTopic: new Map(), isWhole: false })).toEqual([]);
    expect(textOf({ ...seen(20, [], ["LumpSum"]), isWhole: false })).toHaveLength(1);
  });

  it("are named if they never occur", () => {
    expect(textOf(seen(20, [], ["LumpSum", "Done"]))).toEqual([
      expect.stringMatching(
        /^CONTRACTS has handlers for events that none of the escrows emitted in the blocks 7 to 900: LumpSum\(uint256,uint256\), Done\(uint256,string\) -> Compare their parameters/,
      ),
    ]);
  });

  it("are named up to five, with the number of the others, also where nothing has happened", () => {
    const [text = "", ...more] = textOf({ ...RANGE, byTopic: new Map() });
    expect(more).toEqual([]);
    expect(text.match(/\w+\([\w,]*\)/g)).toHaveLength(5);
    expect(text).toMatch(/, and 8 more -> /);
  });

  it("are named if logs have other topics than the ABI says, which are skipped", () => {
    const misfits = new Map([[toEventSelector("LumpSum(uint256,uint256)"), 3]]);
    expect(textOf({ ...seen(20), misfits })).toEqual([
      expect.stringMatching(
        /^CONTRACTS has other indexed parameters of LumpSum\(uint256,uint256\) than 3 logs in the blocks 7 to 900: the indexer skips them -> /,
      ),
    ]);
  });

  it("are named if the factory's logs have other topics, whose address may be a wrong one or none", () => {
    const topic = toEventSelector("RaiseDeployed(address)");
    const event = "event RaiseDeployed(address raise)";
    const factory = factoryOf({ event, escrow: "raise" }, []);
    const [warning] = warnOfEvents(
      { ...CONTRACTS, factory },
      { ...seen(20), misfits: new Map([[topic, 1]]) },
    );
    expect(warning?.warning).toBe(
      "has other indexed parameters of RaiseDeployed(address) than 1 log in the blocks 7 to 900: the indexer may take wrong addresses from them, or none",
    );
  });

  it("are named if they are frequent and have no handler, the most frequent first, with count, share and remedy", () => {
    const [first, second, ...more] = textOf(
      seen(10, [
        [NOISE, 30],
        [UNKNOWN, 60],
      ]),
    );
    expect(more).toEqual([]);
    expect(first).toMatch(
      new RegExp(
        `has no handler for an event that is not in its ABI, with the topic ${UNKNOWN}: 60 of 220 logs \\(27 %\\) in the blocks 7 to 900 -> .*add it to escrow\\.abi`,
      ),
    );
    expect(second).toMatch(
      /has no handler for Noise\(uint256\): 30 of 220 logs \(14 %\).*add a handler for it to escrow\.events/,
    );
  });
});

const ESCROW: Hex = `0x${"e0".repeat(20)}`;
const OTHER_ESCROW: Hex = `0x${"e1".repeat(20)}`;
const DOLLAR: Hex = `0x${"d0".repeat(20)}`;
const OTHER_DOLLAR: Hex = `0x${"d1".repeat(20)}`;
const USD = parseAbiItem("function usd() view returns (address)");

/**
 * A node where some escrows take the dollar, and others have no such view.
 * @param decimals those of the dollar, or of the dollars of the escrows one after another
 * @param error its answer where there is no view
 */
async function nodeWith(
  decimals: number | readonly number[],
  takers: readonly Hex[] = [ESCROW],
  error = { code: 3, message: "execution reverted" },
) {
  const dollars = [DOLLAR, OTHER_DOLLAR].slice(0, [decimals].flat().length);
  const { url, stop } = await serve(async (request, response) => {
    const { id, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const [{ to, data }] = params as [{ to: Hex; data: Hex }];
    const results = new Map<string, Hex>([
      ...takers.map(
        (escrow, index) =>
          [
            `${escrow} ${toFunctionSelector(USD)}`,
            encodeAbiParameters([{ type: "address" }], [dollars[index] ?? DOLLAR]),
          ] as const,
      ),
      ...[decimals]
        .flat()
        .map(
          (one, index) =>
            [
              `${dollars[index]} ${toFunctionSelector("function decimals()")}`,
              encodeAbiParameters([{ type: "uint8" }], [one]),
            ] as const,
        ),
    ]);
    const result = results.get(`${to} ${data}`);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
  });
  onTestFinished(stop);
  return { url, timeout: 5_000 };
}

describe("the decimals of the dollar", () => {
  const escrows = [ESCROW, OTHER_ESCROW];

  it.each([
    ["asked of the escrow", { view: USD }],
    ["named by the module", { address: DOLLAR }],
  ] as const)("are compared with the module's: a dollar %s", async (_, dollar) => {
    const warnings = await warnOfDecimals({ contracts: MODULE }, await nodeWith(18), escrows, {
      ...{ decimals: 6, dollar },
    });
    expect(warnings).toEqual([
      {
        variable: "CONTRACTS",
        warning: `counts in 6 decimals, but the dollar at ${DOLLAR} has 18: every amount is wrong by a power of ten`,
        remedy: "Set escrow.decimals to 18: everything is indexed again.",
      },
    ]);
  });

  it("are compared of a dollar that no early escrow takes", async () => {
    const many = Array.from({ length: 40 }, (_, index): Hex => `0x${(index + 16).toString(16).repeat(20)}`);
    const node = await nodeWith(18, many.slice(-1));
    const dollar = { decimals: 6, dollar: { view: USD } };
    expect(await warnOfDecimals({ contracts: MODULE }, node, many, dollar)).toHaveLength(1);
  });

  it("cannot be those of dollars that differ, nor more than a module takes", async () => {
    const remedy =
      "A module has one escrow.decimals, from 0 to 18, for all its raises: follow each dollar with a separate service.";
    const dollar = { decimals: 6, dollar: { view: USD } };
    const warn = async (...decimals: number[]) =>
      warnOfDecimals({ contracts: MODULE }, await nodeWith(decimals, escrows), escrows, dollar);
    expect(await warn(27)).toMatchObject([{ remedy }]);
    expect(await warn(6, 18)).toMatchObject([{ warning: expect.stringContaining(OTHER_DOLLAR), remedy }]);
    expect(await warn(18, 18)).toMatchObject(Array(2).fill({ remedy: expect.stringMatching(/^Set /) }));
  });

  it("are not worth a word if they are the same, and where no dollar is known", async () => {
    const node = await nodeWith(6);
    const warn = (dollar: Parameters<typeof warnOfDecimals>[3]) =>
      warnOfDecimals({ contracts: MODULE }, node, escrows, dollar);
    expect(await warn({ decimals: 6, dollar: { view: USD } })).toEqual([]);
    expect(await warn({ decimals: 18, dollar: null })).toEqual([]);
  });

  it("cannot be compared where no escrow answers, or the address is no token's, and that is said", async () => {
    const node = await nodeWith(6);
    const textOf = async (dollar: Parameters<typeof warnOfDecimals>[3], at = node) => {
      const warnings = await warnOfDecimals({ contracts: MODULE }, at, escrows, dollar);
      return warnings.map(({ variable, warning }) => `${variable} ${warning}`);
    };
    const unknown = { view: parseAbiItem("function usdc() view returns (address)") };
    expect(await textOf({ decimals: 6, dollar: unknown })).toEqual([
      "CONTRACTS has an escrow.dollar that cannot be asked (no escrow has the view usdc()): neither its decimals nor balances are compared",
    ]);
    expect(await textOf({ decimals: 6, dollar: { address: ESCROW } })).toEqual([
      `CONTRACTS has an escrow.dollar that cannot be asked for its decimals (${ESCROW} has no decimals()): they are not compared`,
    ]);
    const reverting = await nodeWith(6, [], { code: -32_603, message: "execution reverted" });
    expect(await textOf({ decimals: 6, dollar: unknown }, reverting)).toHaveLength(1);
    // The endpoints are examined elsewhere.
    const silent = { url: "http://127.0.0.1:1", timeout: 1_000 };
    const failing = await nodeWith(6, [], { code: -32_603, message: "Internal error: request timed out" });
    for (const node of [silent, failing]) {
      expect(await textOf({ decimals: 6, dollar: unknown }, node)).toEqual([]);
      expect(await textOf({ decimals: 6, dollar: { address: ESCROW } }, node)).toEqual([]);
    }
  });
});
