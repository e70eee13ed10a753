import { describe, expect, it } from "vitest";
import type { ListingView } from "../../src/contracts/views.ts";
import type { Lifecycle } from "../../src/fold/derived.ts";
import type { AnomalyRow, ListingRow } from "../../src/fold/state.ts";
import {
  BACKER,
  EMPTY_ESCROW,
  escrowAddress,
  HOLDERS,
  holder,
  look,
  REQUIRED,
  ROWS,
  rulesOf,
  TOKENS,
} from "../../test/harness/audited-tables.ts";
import { listingRow } from "../../test/harness/rows.ts";
import { nextIdOf } from "./checks.ts";

describe("checkTables", () => {
  it("finds nothing where everything is as it should be", () => {
    expect(look()).toMatchObject({ found: [], notAuditable: [] });
    expect(look().checks).toBe(2 * 5 + 3 + (2 + 2) + (2 * 3 + 1) + 3 * 2 + 3);
  });

  it("says what the chain says and what the tables say", () => {
    expect(look({ views: { raisedAmount: 101n } }).findings).toEqual([
      { check: "views", escrowAddress, onchainId: "1", field: "raisedAmount", expected: "101", found: "100" },
    ]);
  });

  it.each<[string, Partial<Lifecycle>, Partial<ListingRow>, ListingView]>([
    ["what the market derives", { closesAtTarget: true }, {}, "raisedAmount"],
    ["what follows from terms of the registry", {}, { targetAmount: null }, "raisedAmount"],
    ["a drawdown that is derived", { derivesDrawdown: true }, {}, "outstandingPrincipal"],
  ])("says of %s that it is not compared", (_, lifecycle, change, view) => {
    const rows = ROWS.map((row) => ({ ...row, ...change }));
    const { found, notAuditable } = look({
      lifecycle,
      rows,
      views: { [view]: 1n },
      escrow: { required: 1n },
    });
    expect([found, notAuditable]).toEqual([
      [],
      [view, "requiredBalance"].map((name) => `${escrowAddress}: ${name} of raises of which it is derived`),
    ]);
    expect(look({ lifecycle, rows, views: { claimedAmount: 1n } }).found).toEqual([
      ["views", "1", "claimedAmount"],
    ]);
  });

  it.each([
    ["refundedAmount", 1n],
    ["reserveBalance", 12n],
    ["outstandingPrincipal", 0n],
    ["claimedAmount", 9n],
    ["raisedAmount", "reverted"],
  ] as const)("finds another %s: %s", (view, figure) => {
    expect(look({ views: { [view]: figure } }).found).toEqual([["views", "1", view]]);
  });

  it("does not ask of a settled raise what is outstanding no more", () => {
    const settled = { terminalKind: "settled", terminalAt: 1n, writtenOffPrincipal: 70n } as const;
    const [first, second] = ROWS;
    if (first === undefined || second === undefined) throw new Error("there are two rows");
    expect(
      look({ rows: [{ ...first, ...settled }, second], views: { outstandingPrincipal: 0n } }).found,
    ).toEqual([]);
  });

  it("finds what an escrow must hold and does not, a gift left alone", () => {
    expect(look({ escrow: { required: REQUIRED + 1n, held: REQUIRED + 1n } }).found).toEqual([
      ["balance", null, "requiredBalance"],
    ]);
    expect(look({ escrow: { held: REQUIRED - 1n } }).found).toEqual([
      ["balance", null, "dollar.balanceOf(escrow), at least"],
    ]);
    expect(look({ escrow: { held: REQUIRED + 5n } })).toMatchObject({
      found: [],
      surpluses: [{ escrowAddress, amount: "5" }],
    });
  });

  it("finds a dollar with other decimals than the module's, by which its balance is scaled too", () => {
    expect(look({ escrow: { decimals: 6 } }).findings).toEqual([
      {
        ...{ check: "balance", escrowAddress, onchainId: null },
        ...{ field: "dollar.decimals()", expected: "6", found: "18" },
      },
    ]);
    expect(look({ escrow: { decimals: null } }).found).toEqual([]);
  });

  it("finds a supply or holders that do not fit; holders only where they are followed", () => {
    const supply = "raised less refunded = token.totalSupply()";
    const sum = "sum of the holders' balances = token.totalSupply()";
    expect(look({ supply: 99n }).found).toEqual([
      ["supply", "1", supply],
      ["holders", "1", sum],
    ]);
    const holders = [
      holder(0, 99n),
      holder(1, 40n),
      { ...holder(1, 1n), holder: `0x${"0b".repeat(20)}` as const },
    ];
    expect(look({ holders }).found).toEqual([
      ["holders", "1", sum],
      ["holders", "1", "token_holder.balance of holder 1 of 1"],
      ["holders", "2", sum],
      ["holders", "2", "holderCount"],
    ]);
    expect(look({ holders: [], follows: false }).found).toEqual([]);
  });

  it("finds a transfer between holders that the tables do not have, which leaves their sum", () => {
    const [first, second, nobody] = HOLDERS;
    if (first === undefined || second === undefined || nobody === undefined)
      throw new Error("there are three");
    const holders = [first, { ...second, balance: 0n }, { ...nobody, balance: 40n }];
    const where = { check: "holders", escrowAddress, onchainId: "2" };
    expect(look({ holders }).findings).toEqual([
      { ...where, field: "token_holder.balance of holder 1 of 2", expected: "0", found: "40" },
      { ...where, field: "token_holder.balance of holder 2 of 2", expected: "40", found: "0" },
    ]);
    expect(look({ holders, namesPersons: true }).findings[1]?.field).toBe(
      `token_holder.balance of holder ${BACKER} (2 of 2)`,
    );
    const more = { token: second.token, holder: `0x${"cc".repeat(20)}`, balance: 0n } as const;
    expect(look({ holders: [...HOLDERS, more] })).toMatchObject({
      found: [],
      notAuditable: ["balanceOf() of 1 holder, as an audit asks for 20,000"],
    });
    expect(look({ silentHolders: true })).toMatchObject({
      found: [],
      notAuditable: TOKENS.map(({ token }) => `${token}: balanceOf()`),
    });
  });

  it("names ten holders of a token whose balances all differ, and the number of the others", () => {
    const holders = Array.from({ length: 12 }, (_, index) => ({
      ...holder(0, 1n),
      holder: `0x${(index + 16).toString(16).repeat(20)}` as const,
    }));
    const balances = holders.map((row) => ({ ...row, balance: 2n }));
    const findings = (from: number) =>
      look({ holders: holders.slice(from), balances: balances.slice(from) }).findings.filter(({ field }) =>
        field.includes("balance of"),
      );
    const found = findings(0);
    expect(found).toHaveLength(11);
    expect(found[9]?.field).toBe("token_holder.balance of holder 10 of 12");
    expect(found[10]).toMatchObject({
      ...{ field: "token_holder.balance of 2 further holders", onchainId: "1" },
      ...{ expected: "the token's", found: "others" },
    });
    expect(findings(1).at(-1)?.field).toBe("token_holder.balance of 1 further holder");
  });

  it("finds a listing that the tables do not have", () => {
    const [first, second] = ROWS;
    if (first === undefined || second === undefined) throw new Error("there are two rows");
    expect(look({ escrow: { next: 0n } }).found).toEqual([["listings", "3", "a listing under this id"]]);
    expect(look({ rows: [first, { ...second, createdEventId: null }] }).found).toEqual([
      ["listings", "2", "ListingCreated"],
    ]);
    expect(look({ rows: [second], escrow: { required: 40n, held: 40n } }).found).toContainEqual([
      "listings",
      null,
      "number of listings",
    ]);
    // An escrow that answers for an id that no listing can have does not tell a listing from none.
    expect(look({ escrow: { next: 0n, never: 0n } }).found).toEqual([]);
  });

  it("looks at a followed escrow of which no listing is known", () => {
    const escrows = [escrowAddress, EMPTY_ESCROW];
    expect(look({ escrows })).toMatchObject({ found: [], notAuditable: [] });
    const emptyEscrow = { next: 0n, required: 5n, held: 5n };
    expect(look({ escrows, emptyEscrow }).findings).toEqual([
      {
        check: "balance",
        escrowAddress: EMPTY_ESCROW,
        onchainId: null,
        field: "requiredBalance",
        expected: "5",
        found: "0",
      },
      {
        check: "listings",
        escrowAddress: EMPTY_ESCROW,
        onchainId: "1",
        field: "a listing under this id",
        expected: "there is one",
        found: "none",
      },
    ]);
  });

  it("names what the contracts do not tell, and is not red for it", () => {
    const silent = "no answer" as const;
    const { found, notAuditable } = look({
      escrow: { required: silent, held: silent, next: silent, never: silent },
    });
    expect(found).toEqual([]);
    expect(notAuditable).toEqual([`${escrowAddress}: requiredBalance()`]);
    expect(look({ escrow: { held: silent } })).toMatchObject({
      found: [],
      notAuditable: [`${escrowAddress}: balanceOf() of dollar()`],
    });
    expect(look({ supply: silent })).toMatchObject({
      found: [],
      notAuditable: [`${TOKENS[0]?.token}: totalSupply()`],
    });
    // A view that answers for one listing is there: no answer for another is wrong.
    expect(look({ views: { raisedAmount: silent } }).found).toEqual([["views", "1", "raisedAmount"]]);
  });
});

describe("the checks of a contracts module", () => {
  const open = { raisedAmount: 60n, targetAmount: 100n, minRaise: 50n, closeAt: null, closedAt: null };
  const balanceOf = (row: Partial<ListingRow>, held: bigint, anomaly: AnomalyRow[] = []) => {
    const rows = [listingRow({ onchainId: 2n, ...open, ...row })];
    const { found, notAuditable, surpluses } = look({
      ...{ rows, anomaly, rules: rulesOf(), follows: false, escrow: { held } },
    });
    const notes = notAuditable.filter((note) => note.startsWith(escrowAddress));
    return { found: found.filter(([check]) => check === "balance"), notes, surpluses };
  };
  const short = [["balance", null, "dollar.balanceOf(escrow), at least"]];

  it("compare what its views report, and name what it has no view for", () => {
    const rules = rulesOf({
      views: { raisedAmount: { function: "function raised(uint256) view returns (uint256)" } },
    });
    expect(look({ rules, views: { raisedAmount: 101n, refundedAmount: 7n } }).found).toEqual([
      ["views", "1", "raisedAmount"],
    ]);
    const { notAuditable } = look({ rules, views: { raisedAmount: "no answer" } });
    expect(notAuditable).toEqual([
      ...["refundedAmount", "reserveBalance", "outstandingPrincipal", "claimedAmount"].map(
        (name) => `${name}: the contracts' module names no view for it`,
      ),
      "The escrows' dollars: the contracts' module does not say where the dollar is",
    ]);
  });

  it("do not count ids unless the module says that they are numbered", () => {
    expect(look({ rules: rulesOf(), escrow: { next: 0n } }).found).toEqual([]);
    expect(look({ rules: rulesOf({ numbered: true }), escrow: { next: 0n } }).found).toEqual([
      ["listings", "3", "a listing under this id"],
    ]);
  });

  it("compare the supply of tokens only where they are claims, in the dollar's decimals", () => {
    const token = { event: "Opened", parameter: "token" };
    const of = (claims: boolean) =>
      rulesOf({ abi: ["event Opened(address token)"], token: { ...token, claims } });
    expect(look({ rules: of(true), supply: 99n, follows: false }).found).toHaveLength(1);
    expect(look({ rules: of(false), supply: 99n, follows: false }).found).toEqual([]);
  });

  it("add up what an escrow has to hold where it does not say so itself", () => {
    const rules = rulesOf();
    expect(look({ rules, escrow: { held: REQUIRED } })).toMatchObject({ found: [], surpluses: [] });
    expect(look({ rules, escrow: { held: REQUIRED - 1n } }).findings).toMatchObject([
      { check: "balance", expected: `${REQUIRED}`, found: `${REQUIRED - 1n}` },
    ]);
    expect(look({ rules, escrow: { held: REQUIRED + 3n } })).toMatchObject({
      found: [],
      surpluses: [{ escrowAddress, amount: "3" }],
    });
  });

  // Listing 2 raised 60 and gave 20 back. No event of any escrow is a drawdown or a payout.
  it.each<[string, Partial<ListingRow>, bigint]>([
    ["is open", {}, 40n],
    ["missed its minimum", { closedAt: 5n, minRaise: 61n }, 40n],
    ["was cancelled", { closedAt: 5n, terminalKind: "cancelled", terminalAt: 6n }, 40n],
    ["has a reserve", { reserveBalance: 9n }, 49n],
  ])("know the dollars of a raise that %s, without events of drawdowns", (_, row, dollars) => {
    expect(balanceOf(row, dollars)).toEqual({ found: [], notes: [], surpluses: [] });
    expect(balanceOf(row, dollars - 1n).found).toEqual(short);
    expect(balanceOf(row, dollars + 1n).surpluses).toEqual([{ escrowAddress, amount: "1" }]);
  });

  it.each<[string, Partial<ListingRow>, RegExp]>([
    ["closed", { closedAt: 5n }, /no drawdown has an event/],
    ["is past its closing time", { closeAt: 5n }, /no drawdown has an event/],
    ["reached its target", { raisedAmount: 100n }, /no drawdown has an event/],
    ["has its terms from the registry", { targetAmount: null }, /no drawdown has an event/],
    ["is repaying", { closedAt: 5n, repaidPrincipal: 8n }, /no payout has an event/],
  ])("do not compare the dollars of a raise that %s, and say why", (_, row, why) => {
    const { found, notes, surpluses } = balanceOf(row, 0n);
    expect([found, surpluses]).toEqual([[], []]);
    expect(notes.join()).toMatch(why);
    // It cannot tell whether there is more.
    expect(balanceOf(row, 10_000n).surpluses).toEqual([]);
  });

  it("do not compare the dollars of an escrow with events that could not be mapped", () => {
    const anomaly = { kind: "unmapped_event", escrowAddress } as AnomalyRow;
    expect(balanceOf({}, 0n, [anomaly])).toMatchObject({
      found: [],
      notes: [expect.stringContaining("could not be mapped")],
    });
  });
});

describe("nextIdOf", () => {
  it("is above every listing, from 1 on", () => {
    expect(nextIdOf([])).toBe(1n);
    expect(nextIdOf(ROWS)).toBe(3n);
    expect(nextIdOf([{ onchainId: 2n ** 200n }])).toBe(2n ** 200n + 1n);
  });
});
