import { type Hex, toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { ANNA, DEPOSITED, deposit, ESCROW, PLACE, topics } from "../../test/harness/raw-deposit.ts";
import { type Contracts, compileModule } from "./compile.ts";
import { contractsOf, mapRawLog, unmappedLog } from "./contracts.ts";

/** The contracts of a module with this escrow. */
function contractsWith(escrow: object): Contracts {
  const problems: string[] = [];
  const contracts = compileModule({ name: "Ours", escrow }, problems);
  expect(problems).toEqual([]);
  return contracts;
}
describe("a log", () => {
  const escrow = (handler: unknown, more: object = {}) => ({
    ...{ abi: [DEPOSITED], onchainId: ({ args }: { args: { id: bigint } }) => args.id },
    ...{ events: { Deposited: handler }, ...more },
  });
  const subscribed = ({ args }: { args: { investor: string; amount: bigint } }) => ({
    kind: "subscribed",
    backer: args.investor,
    amount: args.amount,
  });

  it("is mapped, its addresses in lowercase, what it does not tell with its default or null", () => {
    const seen: unknown[] = [];
    const contracts = contractsWith(
      escrow((log: never) => {
        seen.push(log);
        return subscribed(log);
      }),
    );
    const backer = ANNA.toLowerCase();
    expect(mapRawLog(contracts, deposit(9n), PLACE)).toEqual([
      {
        content: {
          source: "escrow",
          onchainId: 5n,
          event: {
            kind: "subscribed",
            args: { backer, payer: backer, amount: 9n, bidRateBps: 0, totalRaised: null },
          },
        },
        problem: null,
      },
    ]);
    expect(seen).toEqual([
      {
        ...{ name: "Deposited", args: { id: 5n, investor: backer, amount: 9n }, address: ESCROW },
        ...{ block: { number: 7n, timestamp: 70n }, transactionHash: PLACE.txHash, logIndex: 3 },
      },
    ]);
  });

  it.each([
    [6, 1n, 10n ** 12n],
    [0, 1n, 10n ** 18n],
    [18, 1n, 1n],
    [8, 123_456_789n, 1_234_567_890_000_000_000n],
  ])("with %i decimals is scaled to 18 exactly", (decimals, amount, scaled) => {
    const [mapped] = mapRawLog(contractsWith(escrow(subscribed, { decimals })), deposit(amount), PLACE);
    expect(mapped?.content.event.args).toMatchObject({ amount: scaled });
  });

  it("is ignored if it means nothing, does not fit its event, or is not followed", () => {
    const contracts = contractsWith(escrow(() => null));
    expect(mapRawLog(contracts, deposit(1n), PLACE)).toEqual([]);
    expect(mapRawLog(contracts, { topics, data: "0x12" }, PLACE)).toEqual([]);
    expect(mapRawLog(contracts, { topics: [`0x${"0".repeat(64)}`], data: "0x" }, PLACE)).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ["throws an error", () => void JSON.parse("{"), /kind|JSON|object/],
    ["returns nothing", () => undefined, /expected an object with a kind/],
    ["returns a promise", async () => JSON.parse("{"), /^a promise: handlers must not be async$/],
    [
      "returns promises inside",
      () => [{ kind: "subscribed", backer: ANNA, amount: Promise.reject(new Error("later")) }],
      /^a promise: handlers must not be async$/,
    ],
    ["names no kind", () => ({ backer: ANNA }), /kind: expected one of listing_created/],
    ["names a kind of the desk", () => ({ kind: "offer_cancelled", offerId: 1n }), /desk|is no event/],
    ["leaves out what is required", () => ({ kind: "subscribed", backer: ANNA }), /^amount: missing$/],
    [
      "misspells",
      () => ({ kind: "subscribed", backer: ANNA, amout: 1n }),
      /^amout: unknown; there are kind, backer/,
    ],
    [
      "gives a negative amount",
      () => ({ kind: "subscribed", backer: ANNA, amount: -1n }),
      /^amount: expected a whole number/,
    ],
    [
      "gives a fraction",
      () => ({ kind: "subscribed", backer: ANNA, amount: 1.5 }),
      /^amount: expected a whole number$/,
    ],
    [
      "gives a number that is not exact",
      () => ({ kind: "subscribed", backer: ANNA, amount: 1e18 }),
      /^amount: expected a bigint, as no number is exact from 2\^53 on$/,
    ],
    [
      "gives more than fits",
      () => ({ kind: "subscribed", backer: ANNA, amount: 2n ** 256n }),
      /^amount: expected/,
    ],
    [
      "gives no address",
      () => ({ kind: "subscribed", backer: "0x1", amount: 1n }),
      /^backer: expected 20 bytes/,
    ],
    [
      "invents a word",
      () => ({ kind: "refunded", backer: ANNA, amount: 1n, reason: "mood" }),
      /^reason: expected one of withdrawn/,
    ],
    [
      "gives a payment twice",
      () => ({ kind: "repaid", principal: 1n, interest: 1n, amount: 2n }),
      /amount alone/,
    ],
    ["gives half a payment", () => ({ kind: "repaid", principal: 1n }), /amount alone/],
    ["changes no terms", () => ({ kind: "listing_terms_updated" }), /^terms: missing$/],
    [
      "gives a wrong term",
      () => ({ kind: "listing_created", terms: { tenorDays: "90" } }),
      /^terms\.tenorDays: expected/,
    ],
    [
      "gives too many events",
      () => Array.from({ length: 101 }, () => ({ kind: "listing_voided" })),
      /at most 100 events/,
    ],
  ])("stays in the ledger as unmapped if its handler %s", (_, handler, problem) => {
    expect(mapRawLog(contractsWith(escrow(handler)), deposit(1n), PLACE)).toEqual([
      {
        content: {
          source: "escrow",
          onchainId: 5n,
          event: { kind: "unmapped", args: { logName: "Deposited" } },
        },
        problem: expect.stringMatching(problem),
      },
    ]);
  });

  it.each([
    ["throws", () => JSON.parse("{")],
    ["is no number", () => "5"],
    ["is negative", () => -1n],
    ["is hex", () => `0x${"7".repeat(64)}`],
    ["is too large", () => 2n ** 256n],
    ["is no argument", () => undefined],
  ])("belongs to no raise and is unmapped if its raise %s; raise 0 is an ordinary raise", (_, onchainId) => {
    const [mapped] = mapRawLog(contractsWith(escrow(subscribed, { onchainId })), deposit(1n), PLACE);
    expect(mapped).toMatchObject({ content: { onchainId: 2n ** 256n, event: { kind: "unmapped" } } });
    expect(mapped?.problem).toMatch(
      /JSON|onchainId: (?:missing|expected a whole number from 0, such as BigInt\(args\.id\))/,
    );
    const zero = contractsWith(escrow(subscribed, { onchainId: () => 0 }));
    expect(mapRawLog(zero, deposit(1n), PLACE)).toMatchObject([
      { content: { onchainId: 0n }, problem: null },
    ]);
  });

  it("cannot be mapped to a kind that the module puts together, if its effect would be derived too", () => {
    const joined = (...words: string[]) => words.join("_");
    const contracts = contractsWith(escrow(() => ({ kind: joined("drawn", "down"), amount: 1n })));
    expect(contracts.lifecycle.derivesDrawdown).toBe(true);
    expect(mapRawLog(contracts, deposit(1n), PLACE)).toMatchObject([
      {
        content: { onchainId: 5n, event: { kind: "unmapped" } },
        problem: 'kind: write "drawn_down" out in the module: a kind that its text does not name is derived',
      },
    ]);
    const voided = contractsWith(escrow(() => ({ kind: joined("listing", "voided") })));
    expect(mapRawLog(voided, deposit(1n), PLACE)).toMatchObject([
      { content: { onchainId: 5n, event: { kind: "listing_voided" } }, problem: null },
    ]);
  });

  const IMPURE = "is not available: an event must mean the same whenever it is read";
  it.each([
    ["BigInt(Date.now())", `Date.now() ${IMPURE}`],
    ["BigInt(new Date().getTime())", `new Date() ${IMPURE}`],
    ["BigInt(Date().length)", `Date() ${IMPURE}`],
    ["BigInt(Math.floor(Math.random()))", `Math.random() ${IMPURE}`],
    ["BigInt(Math.max(3, new Date(4).getTime()) + Date.UTC(1970))", null],
    ["BigInt(new (class extends Date { ms() { return this.getTime(); } })(4).ms())", null],
    // Packages such as bignumber.js ask for one as they load.
    ["4n + BigInt(drawn)", null],
  ])("whose amount is %s does not depend on when it is read", (amount, problem) => {
    const text = `const drawn = Math.random(); module.exports.default = { name: "Ours", escrow: { abi: ["${DEPOSITED}"], onchainId: () => 1n, events: {
      Deposited: ({ args }) => ({ kind: "subscribed", backer: args.investor, amount: ${amount} }) } } };`;
    const [mapped] = mapRawLog(contractsOf({ contracts: { path: "ours.mjs", text } }), deposit(4n), PLACE);
    expect(mapped?.problem).toBe(problem);
    if (problem === null) expect(mapped?.content).toMatchObject({ event: { args: { amount: 4n } } });
  });

  it("has no arguments if its event has no parameters, as in Ponder", () => {
    const contracts = contractsWith({
      ...{ abi: ["event Voided()"], onchainId: ({ args }: { args: { id?: bigint } }) => args.id ?? 1n },
      events: { Voided: () => ({ kind: "listing_voided" }) },
    });
    const mapped = [{ content: { onchainId: 1n, event: { kind: "listing_voided" } }, problem: null }];
    const log = { topics: [toEventSelector("event Voided()")], data: "0x" as const };
    expect(mapRawLog(contracts, log, PLACE)).toMatchObject(mapped);
    expect(contracts.escrow.events[0]?.map(undefined, PLACE)).toMatchObject(mapped);
  });

  it("is kept under the desk's own address if it is a desk's and cannot be mapped", () => {
    const problems: string[] = [];
    const desk = { abi: [DEPOSITED], events: { Deposited: () => ({ kind: "subscribed" }) } };
    const module = { name: "Ours", escrow: { abi: [], events: {} }, desk };
    const [mapped] = mapRawLog(compileModule(module, problems), deposit(1n), PLACE);
    expect([problems, mapped?.content.source]).toEqual([[], "escrow"]);
    expect(mapped).toMatchObject({ content: { event: { kind: "unmapped" } } });
  });
});

it("an announced address is found where the event has it, indexed or not", () => {
  const child: Hex = `0x${"c1".repeat(20)}`;
  const word = (value: string): Hex => `0x${value.padStart(64, "0")}`;
  const factoryOf = (event: string) =>
    compileModule({ name: "Ours", escrow: { abi: [], events: {} }, factory: { event, escrow: "raise" } }, [])
      .factory;
  const indexed = factoryOf("event RaiseDeployed(address owner, uint256 indexed id, address indexed raise)");
  expect(indexed?.addressIn({ topics: ["0x", word("1"), word(child.slice(2))], data: "0x" })).toBe(child);
  expect(indexed?.addressIn({ topics: ["0x", word("1")], data: "0x" })).toBeNull();
  const plain = factoryOf("event RaiseDeployed(address indexed owner, string name, address raise)");
  expect(plain?.addressIn({ topics: ["0x"], data: `${word("40")}${word(child.slice(2)).slice(2)}` })).toBe(
    child,
  );
});

it("the event that announces a token is named by its signature where its name is overloaded", () => {
  const abi = [
    "event Issued(uint256 id, address token)",
    "event Issued(uint256 id, address owner, address token)",
  ];
  const tokenOf = (event: string) => {
    const problems: string[] = [];
    const escrow = { abi, events: {}, token: { event, parameter: "token" } };
    const { topic } = compileModule({ name: "Ours", escrow }, problems).escrow.token ?? {};
    return [problems, topic];
  };
  expect(tokenOf("Issued")).toEqual([
    ["escrow.token.event: the ABI has several: name one by its signature, such as Issued(uint256,address)"],
    undefined,
  ]);
  const topic = toEventSelector("Issued(uint256,address,address)");
  expect(tokenOf("Issued(uint256, address, address)")).toEqual([[], topic]);
  const none = [["escrow.token.event: the ABI has no such event"], undefined];
  expect([tokenOf("Made"), tokenOf(undefined as never)]).toEqual([none, none]);
});

it("warns once of each event and reason, and not without end", () => {
  const warnings: unknown[] = [];
  const warn = unmappedLog({ warn: (entry) => void warnings.push(entry) });
  for (let count = 0; count < 3; count++) warn("Deposited", "amount: missing");
  expect(warnings).toMatchObject([{ event: "Deposited", problem: "amount: missing" }]);
  for (let count = 0; count < 500; count++) warn("Deposited", `${count}`);
  expect(warnings).toHaveLength(100);
});
