/** @module Compares the tables with the chain's own figures, and with each other. Pure. */
import type { Audit } from "../../api/health/audit.ts";
import { sumOf } from "../../api/market/amount.ts";
import { pairKey } from "../../api/registry/schema.ts";
import { counted } from "../../config/format/counted.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { scaleOf } from "../../src/contracts/market-event.ts";
import { LISTING_VIEWS, type ListingView } from "../../src/contracts/views.ts";
import { type Lifecycle, lacksTerms } from "../../src/fold/derived.ts";
import { outstandingPrincipal } from "../../src/fold/rules.ts";
import type { AnomalyRow, HolderRow, ListingRow, PositionRow } from "../../src/fold/state.ts";
import { announcedIn, duesOf, leastDues } from "./balance.ts";
import { type Comparison, createComparison, personIn, type Where } from "./comparison.ts";
import { type EscrowFigures, type Figure, type Figures, holderKey } from "./figures.ts";
import type { IndexedState } from "./indexed-state.ts";

/** Holders that are asked for: 400 requests. */
export const MOST_HOLDERS = 20_000;
/** Holders of one token in findings: all of its balances may be wrong. */
const MOST_NAMED = 10;

export type Checked = Comparison & {
  notAuditable: string[];
  /** dollars that escrows hold beyond what they have to */
  surpluses: Audit["surpluses"];
};

type Rules = Pick<Contracts["escrow"], "views" | "dollar" | "decimals" | "isNumbered" | "token">;

export type CheckParameters = Pick<IndexedState, "tables" | "holders" | "head"> & {
  /** what the contracts' module says of its escrows */
  rules: Rules;
  /** derived figures, which the tables do not have */
  lifecycle: Lifecycle;
  figures: Figures;
  /** every followed escrow, even without listings */
  escrows: readonly string[];
  /** whether the holders of an escrow's tokens are counted */
  followsHolders(escrowAddress: string): boolean;
  /** whether findings include the addresses of persons */
  namesPersons: boolean;
};

/** Compares every figure that the contracts report, and lists those that they do not. */
export function checkTables(parameters: CheckParameters): Checked {
  const { tables, holders, figures, rules, lifecycle, escrows, followsHolders } = parameters;
  const comparison = createComparison();
  const checked: Checked = { ...comparison, notAuditable: missingIn(rules), surpluses: [] };
  const { notAuditable } = checked;
  const positions = Map.groupBy(tables.backerPosition, pairKey);
  const balances = Map.groupBy(holders, ({ token }) => token);

  const byEscrow = Map.groupBy(tables.listing, (row): string => row.escrowAddress);

  for (const escrowAddress of escrows) {
    const listings = byEscrow.get(escrowAddress) ?? [];
    compareViews(comparison, notAuditable, { escrowAddress, listings, figures, rules, lifecycle });
    const escrow = figures.escrows.get(escrowAddress);
    if (escrow !== undefined) {
      compareDollars(checked, { ...parameters, escrowAddress, listings, positions, escrow });
      if (rules.isNumbered) compareIds(comparison, { escrowAddress, listings, escrow });
    }
    for (const row of listings) compareSums(comparison, row, positions.get(pairKey(row)) ?? []);
  }
  for (const anomaly of tables.anomaly) compareTotals(comparison, anomaly);

  const listingOf = new Map(tables.listing.map((row) => [pairKey(row), row]));
  for (const { token, holderCount, ...pair } of tables.listingToken) {
    const row = listingOf.get(pairKey(pair));
    const supply = figures.supplies.get(token);
    const where = (check: Where["check"], field: string): Where => ({ ...pair, check, field });
    if (!hasAuditedSupply(pair.escrowAddress, { rules, followsHolders })) continue;
    if (typeof supply !== "bigint") notAuditable.push(`${token}: totalSupply()`);
    else if (
      row !== undefined &&
      rules.token?.hasClaims === true &&
      !isDerived("raisedAmount", row, lifecycle)
    ) {
      const claims = row.raisedAmount - returnedOf(positions.get(pairKey(row)) ?? []);
      comparison.compare(where("supply", "raised less refunded = token.totalSupply()"), supply, claims);
    }
    if (!followsHolders(pair.escrowAddress)) continue;
    const own = balances.get(token) ?? [];
    if (typeof supply === "bigint") {
      const held = sumOf(own, ({ balance }) => balance) * scaleOf(rules.decimals);
      comparison.compare(
        where("holders", "sum of the holders' balances = token.totalSupply()"),
        supply,
        held,
      );
    }
    const holding = own.filter(({ balance }) => balance > 0n).length;
    comparison.compare(where("holders", "holderCount"), BigInt(holding), BigInt(holderCount));
    compareBalances(checked, { ...parameters, own, token, where: (field) => where("holders", field) });
  }
  const unasked = holders.length - figures.balances.size;
  if (unasked > 0)
    notAuditable.push(
      `balanceOf() of ${counted(unasked, "holders")}, as an audit asks for ${MOST_HOLDERS.toLocaleString("en-US")}`,
    );
  return { ...checked, checks: comparison.checks };
}

type Balances = Pick<CheckParameters, "figures" | "rules" | "namesPersons"> & {
  token: string;
  /** the token's holders */
  own: readonly HolderRow[];
  where(field: string): Where;
};

/** Compares each holder's balance with the token's: a transfer that is missing leaves their sum. */
function compareBalances({ compare, notAuditable }: Checked, parameters: Balances): void {
  const { figures, rules, namesPersons, token, own, where } = parameters;
  let isSilent = false;
  let differing = 0;
  for (const [index, row] of own.toSorted((a, b) => (a.holder < b.holder ? -1 : 1)).entries()) {
    const balance = figures.balances.get(holderKey(row));
    isSilent ||= balance !== undefined && typeof balance !== "bigint";
    if (typeof balance !== "bigint") continue;
    const ours = row.balance * scaleOf(rules.decimals);
    if (balance !== ours) differing += 1;
    if (balance !== ours && differing > MOST_NAMED) continue;
    const which = personIn("holder", row.holder, { number: `${index + 1} of ${own.length}`, namesPersons });
    compare(where(`token_holder.balance of ${which}`), balance, ours);
  }
  const further = differing - MOST_NAMED;
  if (further > 0)
    compare(where(`token_holder.balance of ${counted(further, "further holders")}`), "the token's", "others");
  if (isSilent) notAuditable.push(`${token}: balanceOf()`);
}

/** Whether the supply of this escrow's tokens is compared with anything. */
export function hasAuditedSupply(
  escrowAddress: string,
  { rules, followsHolders }: { rules: Pick<Rules, "token">; followsHolders(escrowAddress: string): boolean },
): boolean {
  return rules.token?.hasClaims === true || followsHolders(escrowAddress);
}

/** The figures that no escrow can be asked for, as its module names no view for them. */
function missingIn({ views, dollar }: Rules): string[] {
  const names = LISTING_VIEWS.filter((name) => !(name in views));
  const missing = names.map((name) => `${name}: the contracts' module names no view for it`);
  return dollar === null
    ? [...missing, "The escrows' dollars: the contracts' module does not say where the dollar is"]
    : missing;
}

type OfEscrow = { escrowAddress: string; listings: readonly ListingRow[] };

const FIGURE_OF: Record<ListingView, (row: ListingRow) => bigint> = {
  raisedAmount: (row) => row.raisedAmount,
  refundedAmount: (row) => row.refundedAmount,
  reserveBalance: (row) => row.reserveBalance,
  outstandingPrincipal,
  claimedAmount: (row) => row.claimedAmount,
};

/** Whether the tables may have another figure than the contract: it is derived, or follows from terms of the registry. */
function isDerived(name: ListingView, row: ListingRow, lifecycle: Lifecycle): boolean {
  if (name === "raisedAmount") return lifecycle.closesAtTarget || lacksTerms(row);
  return name === "outstandingPrincipal" && lifecycle.derivesDrawdown;
}

/** A view that answers for none of an escrow's listings does not exist there: not auditable, but no finding. */
function compareViews(
  { compare }: Comparison,
  notAuditable: string[],
  parameters: OfEscrow & Pick<CheckParameters, "figures" | "rules" | "lifecycle">,
): void {
  const { escrowAddress, listings, figures, rules, lifecycle } = parameters;
  for (const name of LISTING_VIEWS) {
    const view = rules.views[name];
    if (view === undefined) continue;
    const answerFor = (row: ListingRow): Figure => figures.views.get(pairKey(row))?.[name] ?? "no answer";
    if (listings.every((row) => answerFor(row) === "no answer")) {
      if (listings.length > 0 && !view.isOptional) notAuditable.push(`${escrowAddress}: ${view.item.name}()`);
      continue;
    }
    if (listings.some((row) => isDerived(name, row, lifecycle)))
      notAuditable.push(`${escrowAddress}: ${name} of raises of which it is derived`);
    for (const row of listings) {
      if (isDerived(name, row, lifecycle)) continue;
      const where = { check: "views", escrowAddress, onchainId: row.onchainId, field: name } as const;
      compare(where, answerFor(row), FIGURE_OF[name](row));
    }
  }
}

type Dollars = OfEscrow &
  Pick<CheckParameters, "tables" | "rules" | "head" | "lifecycle"> & {
    positions: ReadonlyMap<string, PositionRow[]>;
    escrow: EscrowFigures;
  };

/** Compares the dollars that an escrow has to hold for all its listings with its own figure, if it has one, and with its balance. */
function compareDollars({ compare, notAuditable, surpluses }: Checked, parameters: Dollars): void {
  const { escrowAddress, listings, positions, rules, tables, head, lifecycle } = parameters;
  const { required, held, decimals } = parameters.escrow;
  const where = (field: string): Where => ({ check: "balance", escrowAddress, onchainId: null, field });
  const positionsOf = (row: ListingRow) => positions.get(pairKey(row)) ?? [];
  const { requiredBalance } = rules.views;
  let least: bigint | null = null;
  if (requiredBalance !== undefined) {
    if (typeof required !== "bigint") {
      notAuditable.push(`${escrowAddress}: ${requiredBalance.item.name}()`);
      return;
    }
    if (lifecycle.derivesDrawdown || listings.some((row) => isDerived("raisedAmount", row, lifecycle)))
      notAuditable.push(`${escrowAddress}: requiredBalance of raises of which it is derived`);
    else
      compare(
        where("requiredBalance"),
        required,
        sumOf(listings, (row) => duesOf(row, positionsOf(row))),
      );
    least = required;
  }
  if (rules.dollar === null) return;
  if (typeof held !== "bigint") {
    const { dollar } = rules;
    notAuditable.push(
      `${escrowAddress}: balanceOf() of ${"view" in dollar ? `${dollar.view.name}()` : dollar.address}`,
    );
    return;
  }
  // Both sides of the balance are scaled by the module's, so it cannot show others.
  if (decimals !== null) compare(where("dollar.decimals()"), `${decimals}`, `${rules.decimals}`);
  let isKnown = true;
  if (least === null) {
    const anomalies = tables.anomaly.filter((anomaly) => anomaly.escrowAddress === escrowAddress);
    const announced = announcedIn(tables.listing);
    const dues = leastDues(listings, { positionsOf, anomalies, announced, now: head.timestamp });
    for (const reason of dues.unknown)
      notAuditable.push(`${escrowAddress}: part of the dollars it has to hold: ${reason}`);
    isKnown = dues.unknown.length === 0;
    least = dues.least;
  }
  // A surplus is no fault: anyone can send dollars to the escrow.
  const enough = held >= least ? least : held;
  compare(where("dollar.balanceOf(escrow), at least"), least, enough);
  if (isKnown && held > least) surpluses.push({ escrowAddress, amount: `${held - least}` });
}

/** Listings are numbered from 1: a gap, or a listing beyond the last, is a creation that was never indexed. */
function compareIds(
  { compare }: Comparison,
  { escrowAddress, listings, escrow }: OfEscrow & { escrow: EscrowFigures },
): void {
  const check = "listings";
  const where = (onchainId: bigint | null, field: string) =>
    ({ check, escrowAddress, onchainId, field }) as const;
  for (const { onchainId, createdEventId } of listings)
    compare(where(onchainId, "ListingCreated"), "seen", createdEventId === null ? "not seen" : "seen");
  // Only an escrow that reverts for an impossible id reveals whether a listing exists.
  if (escrow.never === "reverted") {
    const last = nextIdOf(listings);
    const beyond = typeof escrow.next === "bigint" ? "there is one" : "none";
    compare(where(last, "a listing under this id"), beyond, "none");
    compare(where(null, "number of listings"), last - 1n, BigInt(listings.length));
  }
}

/** The first id above all listings. */
export function nextIdOf(listings: readonly Pick<ListingRow, "onchainId">[]): bigint {
  return listings.reduce((next, { onchainId }) => (onchainId >= next ? onchainId + 1n : next), 1n);
}

function compareSums({ compare }: Comparison, row: ListingRow, positions: readonly PositionRow[]): void {
  const { escrowAddress, onchainId } = row;
  const where = (field: string): Where => ({ check: "sums", escrowAddress, onchainId, field });
  const net = sumOf(positions, ({ netPrincipal }) => netPrincipal);
  compare(where("sum of the backers' principals = raisedAmount"), row.raisedAmount, net);
  const returned = sumOf(positions, ({ netPrincipal, returnedAmount }) =>
    returnedAmount < netPrincipal ? returnedAmount : netPrincipal,
  );
  compare(where("sum of what went back of them = returnedPrincipal"), row.returnedPrincipal, returned);
  const subscribers = positions.filter(({ netPrincipal }) => netPrincipal > 0n).length;
  compare(where("subscriberCount"), BigInt(subscribers), BigInt(row.subscriberCount));
  if (row.drawnAmount !== null && row.terminalKind !== "settled") {
    const left = row.drawnAmount - row.repaidPrincipal;
    compare(where("drawn less repaid = outstandingPrincipal"), row.outstandingPrincipal, left);
  }
}

/**
 * Events whose running total differs from our sum. The tables adopt the chain's figure, so no view shows it, but an earlier
 * event is missing or the contract counts differently.
 */
function compareTotals(
  { compare }: Comparison,
  { kind, eventKind, eventId, differences, ...pair }: AnomalyRow,
): void {
  if (kind !== "total_mismatch" || eventKind === "transfer") return;
  const { escrowAddress, onchainId } = pair;
  for (const { field, expected: ours, found: chains } of differences) {
    const what = `${field} of event ${eventId}`;
    compare({ check: "totals", escrowAddress, onchainId, field: what }, chains, ours);
  }
}

function returnedOf(positions: readonly PositionRow[]): bigint {
  return sumOf(positions, ({ returnedAmount }) => returnedAmount);
}
