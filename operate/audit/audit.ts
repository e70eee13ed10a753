/** @module One audit: compares the tables at the last indexed block with the chain at that block, and with the ledger. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Address, PublicClient } from "viem";
import type { Audit, AuditedListing, Auditor, AuditorState } from "../../api/health/audit.ts";
import { completenessOf } from "../../api/health/completeness.ts";
import { pairKey } from "../../api/registry/schema.ts";
import { isoTime } from "../../config/format/time.ts";
import type { Logger } from "../../config/log.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { UNKNOWN_ID } from "../../src/fold/events.ts";
import { outstandingPrincipal } from "../../src/fold/rules.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { checkTables, hasAuditedSupply, MOST_HOLDERS, nextIdOf } from "./checks.ts";
import type { BareFinding, Comparison } from "./comparison.ts";
import { type Figures, readFigures } from "./figures.ts";
import type { IndexedState } from "./indexed-state.ts";
import { compareWithLedger } from "./refold.ts";

export type OnProgress = (done: number, total: number) => void;

export type AuditParameters = {
  /** null before the first indexed block */
  readState(): Promise<IndexedState | null>;
  client: PublicClient;
  /** the configured escrows; without them an escrow without known listings is not audited */
  escrows?: readonly Address[];
  followsHolders(escrowAddress: string): boolean;
  contracts: Contracts;
  /** whether findings include the addresses of persons */
  namesPersons?: boolean;
  /** a further comparison */
  compareMore?: ((state: IndexedState) => Promise<Pick<Comparison, "checks" | "findings">>) | undefined;
  onProgress?: OnProgress | undefined;
  /** sleeps between attempts, in milliseconds; replaced in tests */
  wait?(milliseconds: number): Promise<unknown>;
};

/** Failed attempts, due to a failing node or one on another fork, after which the audit fails. */
const MOST_FAILURES = 3;
/** Milliseconds. Pauses double from the first to the last: a minute in total. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 32_000;

/**
 * Audits once. Never rejects: an error becomes the problem of a failed audit.
 *
 * A difference counts if a second attempt finds it too. In a reorg the indexer reverts rows before it records its new
 * head; with a slow node, seconds before. So while the chain is ahead and the indexed head stays the same, the audit waits, but
 * at most a minute, which is also the cost with a stalled indexer.
 */
export async function audit(parameters: AuditParameters): Promise<Audit> {
  const { wait = sleep } = parameters;
  let failures = 0;
  let redAt: bigint | null = null;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const { result, head, isFinal, isBehind } = await attempt(parameters);
    if (isFinal || result.status === "ok") return result;
    if (result.status === "failed") {
      failures += 1;
      if (failures === MOST_FAILURES) return result;
    } else {
      if (redAt !== null && (head !== redAt || !isBehind || pause > LAST_PAUSE)) return result;
      redAt = head;
    }
    await wait(pause);
  }
}

type Attempt = {
  result: Audit;
  /** the audited block; null if there was none */
  head: bigint | null;
  /** whether another attempt would give the same result */
  isFinal: boolean;
  /** whether the chain was ahead of the indexed head */
  isBehind: boolean;
};

async function attempt(parameters: AuditParameters): Promise<Attempt> {
  const base = { head: null, isFinal: false, isBehind: false };
  try {
    const { client } = parameters;
    const state = await parameters.readState();
    if (state === null) return { ...base, result: failed(NOT_INDEXED), isFinal: true };
    if (!state.backfilled) return { ...base, result: failed(BACKFILLING), isFinal: true };
    if (!(await isSameChain(state, client))) return { ...base, result: failed(OTHER_CHAIN) };
    const result = await compare(state, parameters);
    if (result.status !== "red") return { ...base, result, head: state.head.number };
    if (!(await isSameChain(state, client))) return { ...base, result: failed(OTHER_CHAIN) };
    const isBehind = (await client.getBlockNumber({ cacheTime: 0 })) > state.head.number;
    return { result, head: state.head.number, isFinal: false, isBehind };
  } catch (error) {
    return { ...base, result: failed(`The audit failed: ${reasonOf(error)}`) };
  }
}

async function compare(state: IndexedState, parameters: AuditParameters): Promise<Audit> {
  const { client, contracts, escrows: configured = [], followsHolders } = parameters;
  const { compareMore, onProgress, namesPersons = false } = parameters;
  const rules = contracts.escrow;
  const { head } = state;
  // Logs whose raise is unknown are filed under an id that no raise can have.
  const listings = state.tables.listing.filter(({ onchainId }) => onchainId !== UNKNOWN_ID);
  const tables = { ...state.tables, listing: listings };
  const byEscrow = Map.groupBy(listings, ({ escrowAddress }) => escrowAddress);
  const escrows = [...new Set([...configured, ...byEscrow.keys()])];
  const followed = new Set(
    tables.listingToken
      .filter(({ escrowAddress }) => followsHolders(escrowAddress))
      .map(({ token }): string => token),
  );
  const holders = state.holders.filter(({ token }) => followed.has(token));
  const targets = {
    holders: holders.slice(0, MOST_HOLDERS),
    listings,
    escrows: escrows.map((address) => ({ address, nextId: nextIdOf(byEscrow.get(address) ?? []) })),
    tokens: tables.listingToken
      .filter(({ escrowAddress }) => hasAuditedSupply(escrowAddress, { rules, followsHolders }))
      .map(({ token }) => token),
  };
  const figures = await readFigures(client, rules, targets, { block: head.number, onProgress });
  const checked = checkTables({
    ...state,
    ...{ tables, holders, rules, figures, escrows, followsHolders, namesPersons },
    lifecycle: contracts.lifecycle,
  });
  const refolded = await compareWithLedger(state, { namesPersons });
  const more = compareMore === undefined ? [] : [await compareMore(state)];
  const comparisons = [checked, state.order, refolded, ...more];
  const refnums = new Map(listings.map((row) => [pairKey(row), row.refnum]));
  const findings = comparisons.flatMap((comparison) =>
    comparison.findings.map((finding) => ({
      ...finding,
      refnum: refnums.get(keyOf(finding) ?? "") ?? null,
      block: head.number.toString(),
    })),
  );
  return {
    status: findings.length === 0 ? "ok" : "red",
    block: head.number.toString(),
    at: isoTime(head.timestamp),
    events: state.events,
    checks: comparisons.reduce((sum, { checks }) => sum + checks, 0),
    listings: auditedListings(listings, figures, findings),
    notAuditable: checked.notAuditable,
    surpluses: checked.surpluses,
    completeness: completenessOf(state.completeness),
    findings,
    problem: null,
  };
}

function keyOf({ escrowAddress, onchainId }: BareFinding): string | null {
  return escrowAddress === null || onchainId === null ? null : pairKey({ escrowAddress, onchainId });
}

function auditedListings(
  listings: readonly ListingRow[],
  figures: Figures,
  findings: readonly BareFinding[],
): AuditedListing[] {
  const wrong = Map.groupBy(findings, keyOf);
  const rows = listings.map((row): AuditedListing => {
    const supply = row.token === null ? undefined : figures.supplies.get(row.token);
    return {
      escrowAddress: row.escrowAddress,
      onchainId: row.onchainId.toString(),
      refnum: row.refnum,
      raisedAmount: row.raisedAmount.toString(),
      refundedAmount: row.refundedAmount.toString(),
      reserveBalance: row.reserveBalance.toString(),
      outstandingPrincipal: outstandingPrincipal(row).toString(),
      supply: typeof supply === "bigint" ? supply.toString() : null,
      findings: wrong.get(pairKey(row))?.length ?? 0,
    };
  });
  return rows.sort((a, b) =>
    a.escrowAddress === b.escrowAddress
      ? Number(BigInt(a.onchainId) - BigInt(b.onchainId))
      : a.escrowAddress < b.escrowAddress
        ? -1
        : 1,
  );
}

const NOT_INDEXED = "Nothing is indexed yet.";
const BACKFILLING = "The backfill is not over: audit when /v1/ready answers 200.";

const OTHER_CHAIN =
  "The node does not have the indexed blocks. After a reorg that passes: try again. Otherwise it is on another chain: check RPC_URLS or --rpc-url.";

/** Whether the node has a block with the time of the indexed head, and the block of the last event. */
async function isSameChain({ head, lastEvent }: IndexedState, client: PublicClient): Promise<boolean> {
  const { timestamp } = await client.getBlock({ blockNumber: head.number });
  if (timestamp !== head.timestamp) return false;
  if (lastEvent === null) return true;
  const { hash } = await client.getBlock({ blockNumber: blockOf(lastEvent.eventId).number });
  // One of them may be wrong itself, which is a finding.
  return lastEvent.blockHashes.length === 0 || lastEvent.blockHashes.includes(hash);
}

/** A failed audit. */
export function failed(problem: string): Audit {
  return {
    ...{ status: "failed", block: null, at: null, events: 0, checks: 0 },
    ...{ listings: [], notAuditable: [], surpluses: [], completeness: null, findings: [], problem },
  };
}

/** The first line of an error, without URLs, which may contain a key. */
function reasonOf(error: unknown): string {
  const short =
    error instanceof Error && "shortMessage" in error ? String(error.shortMessage) : String(error);
  return (short.split("\n")[0] ?? "").replace(/\b(?:https?|wss?|postgres(?:ql)?):\/\/\S+/g, "…");
}

/** Milliseconds after an audit during which requests get its result instead of a new audit. */
const COOLDOWN = 10_000;
/** Milliseconds between progress notices of a running audit. */
const NOTICE_INTERVAL = 1_000;

type AuditorParameters = {
  /** must not reject */
  audit(onProgress: OnProgress): Promise<Audit>;
  /** seconds between scheduled audits; null: none */
  every: number | null;
  log: Logger;
  /** called when an audit begins or ends, and once a second in between */
  onChange?: ((state: AuditorState) => void) | undefined;
};

/** The first audit runs at the first request, or after the first interval. */
export function createAuditor(parameters: AuditorParameters): Auditor & { stop(): void } {
  const { audit, every, log, onChange } = parameters;
  let running: AuditorState["running"] = null;
  let last: Audit | null = null;
  let endedAt = Number.NEGATIVE_INFINITY;

  const begin = async (isScheduled: boolean) => {
    running = { done: 0, total: 0 };
    onChange?.({ running, last });
    let noticedAt = performance.now();
    const result = await audit((done, total) => {
      running = { done, total };
      if (performance.now() - noticedAt < NOTICE_INTERVAL) return;
      noticedAt = performance.now();
      onChange?.({ running, last });
    });
    // A first indexing takes hours, and is no failure of the audits.
    if (!isScheduled || (result.problem !== NOT_INDEXED && result.problem !== BACKFILLING)) {
      logResult(log, last, result);
      last = result;
      endedAt = performance.now();
    }
    running = null;
    onChange?.({ running, last });
  };

  const beginUnlessRunning = (isScheduled: boolean) => {
    if (running === null) void begin(isScheduled);
  };
  const timer =
    every === null ? undefined : setInterval(() => beginUnlessRunning(true), every * 1000).unref();
  return {
    start() {
      if (performance.now() - endedAt >= COOLDOWN) beginUnlessRunning(false);
    },
    state: () => ({ running, last }),
    stop: () => clearInterval(timer),
  };
}

/** Logs every change for the worse, with its findings, and the recovery from differences or from a failed audit. */
function logResult(log: Logger, before: Audit | null, { status, block, findings, problem }: Audit): void {
  if (status === "red") {
    log.error({ msg: "The audit found differences", block, findings: findings.length });
    for (const finding of findings.slice(0, 20)) log.error({ msg: "A figure is wrong", ...finding });
  } else if (status === "failed") {
    if (before?.status !== "failed") log.warn({ msg: "The audit failed", problem });
  } else if (before !== null && before.status !== "ok") {
    log.info({ msg: "The audit finds no differences", block });
  }
}
