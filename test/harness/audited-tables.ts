/** @module Two raises as the tables and the chain have them, and what an audit finds when one of the two is changed. */
import { expect } from "vitest";
import { pairKey } from "../../api/registry/schema.ts";
import { type CheckParameters, checkTables } from "../../operate/audit/checks.ts";
import { type EscrowFigures, type Figure, holderKey } from "../../operate/audit/figures.ts";
import { compileModule } from "../../src/contracts/compile.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import type { ListingView } from "../../src/contracts/views.ts";
import { type Lifecycle, NOTHING_DERIVED } from "../../src/fold/derived.ts";
import type { AnomalyRow, HolderRow, ListingRow, PositionRow, TokenRow } from "../../src/fold/state.ts";
import { DRAWN, HEAD, listingRow } from "./rows.ts";

export const { escrowAddress } = listingRow();
export const EMPTY_ESCROW = `0x${"e7".repeat(20)}`;
export const BACKER = `0x${"ba".repeat(20)}` as const;

/** Listing 1 raised 100 of one backer and repaid a part of it; 2 raised 60 and gave 20 back after it had failed. */
export const ROWS = [
  listingRow({
    ...DRAWN,
    raisedAmount: 100n,
    subscriberCount: 1,
    drawnAmount: 100n,
    outstandingPrincipal: 70n,
    repaidPrincipal: 30n,
    repaidInterest: 5n,
    claimedAmount: 8n,
    reserveBalance: 11n,
  }),
  listingRow({
    onchainId: 2n,
    raisedAmount: 60n,
    refundedAmount: 20n,
    returnedPrincipal: 20n,
    subscriberCount: 1,
  }),
];
const POSITIONS = [position(1n, 100n, 0n), position(2n, 60n, 20n)];
export const TOKENS = ROWS.map(
  ({ escrowAddress, onchainId, token }): TokenRow => ({
    token: token ?? "0x",
    escrowAddress,
    onchainId,
    holderCount: 1,
    updatedBlock: 100n,
  }),
);
export const HOLDERS = [
  holder(0, 100n),
  holder(1, 40n),
  { ...holder(1, 0n), holder: `0x${"00".repeat(20)}` as const },
];
/** 30 + 5 − 8 of payouts and a reserve of 11 for the one, 60 − 20 for the other. */
export const REQUIRED = 30n + 5n - 8n + 11n + 40n;

function position(onchainId: bigint, netPrincipal: bigint, returnedAmount: bigint): PositionRow {
  return {
    escrowAddress,
    onchainId,
    backer: BACKER,
    netPrincipal,
    subscribedAmount: netPrincipal,
    refundedAmount: returnedAmount,
    returnedAmount,
  };
}

export function holder(index: number, balance: bigint): HolderRow {
  return { token: TOKENS[index]?.token ?? "0x", holder: BACKER, balance };
}

const NOTHING_MORE = { decimals: 18, next: "reverted", never: "reverted" } as const;

type Change = {
  rows?: ListingRow[];
  holders?: HolderRow[];
  views?: Partial<Record<ListingView, Figure>>;
  escrow?: Partial<EscrowFigures>;
  supply?: Figure;
  /** what the tokens say of their holders */
  balances?: HolderRow[];
  silentHolders?: boolean;
  namesPersons?: boolean;
  follows?: boolean;
  escrows?: string[];
  emptyEscrow?: Partial<EscrowFigures>;
  rules?: CheckParameters["rules"];
  anomaly?: AnomalyRow[];
  lifecycle?: Partial<Lifecycle>;
};

/** The findings when the chain and the tables agree except for this change. */
export function look({
  rows = ROWS,
  holders = HOLDERS,
  views = {},
  escrow = {},
  supply,
  balances = HOLDERS,
  silentHolders = false,
  namesPersons = false,
  follows = true,
  escrows = [escrowAddress],
  emptyEscrow = {},
  rules = contractsOf({ contracts: null }).escrow,
  anomaly = [],
  lifecycle = {},
}: Change = {}) {
  const honest = ROWS.map((row, index): [string, Record<ListingView, Figure>] => [
    pairKey(row),
    {
      raisedAmount: row.raisedAmount,
      refundedAmount: row.refundedAmount,
      reserveBalance: row.reserveBalance,
      outstandingPrincipal: row.outstandingPrincipal,
      claimedAmount: row.claimedAmount,
      // Only of the first listing.
      ...(index === 0 ? views : {}),
    },
  ]);
  const figures: CheckParameters["figures"] = {
    views: new Map(honest),
    escrows: new Map([
      [escrowAddress, { required: REQUIRED, held: REQUIRED, ...NOTHING_MORE, ...escrow }],
      [EMPTY_ESCROW, { required: 0n, held: 0n, ...NOTHING_MORE, ...emptyEscrow }],
    ]),
    balances: new Map(balances.map((row) => [holderKey(row), silentHolders ? "no answer" : row.balance])),
    supplies: new Map(TOKENS.map(({ token }, index) => [token, index === 0 ? (supply ?? 100n) : 40n])),
  };
  const none = { offer: [], trade: [], subscription: [], refund: [], repayment: [] };
  const tables = { ...none, anomaly, listing: rows, backerPosition: POSITIONS, listingToken: TOKENS };
  const { findings, notAuditable, surpluses, checks } = checkTables({
    ...{ tables, figures, escrows, rules, namesPersons, head: HEAD },
    holders: follows ? holders : [],
    lifecycle: { ...NOTHING_DERIVED, ...lifecycle },
    followsHolders: () => follows,
  });
  return {
    found: findings.map(({ check, onchainId, field }) => [check, onchainId, field]),
    findings,
    notAuditable,
    surpluses,
    checks,
  };
}

/** The rules of a module with these views only. */
export function rulesOf(escrow: object = { dollar: `0x${"d0".repeat(20)}` }): CheckParameters["rules"] {
  const problems: string[] = [];
  const contracts = compileModule({ name: "Theirs", escrow: { abi: [], events: {}, ...escrow } }, problems);
  expect(problems).toEqual([]);
  return contracts.escrow;
}
