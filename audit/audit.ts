/**
 * One audit: the tables at the last indexed block against the chain at that block, and against the ledger.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Address, PublicClient } from "viem";
import type { Audit, AuditedListing } from "../api/health/audit.ts";
import { isoTime } from "../api/time.ts";
import { outstandingPrincipal } from "../src/fold/rules.ts";
import type { Book } from "./book.ts";
import { checkBook, nextIdOf } from "./checks.ts";
import type { BareFinding } from "./comparison.ts";
import { type Figures, keyOf, readFigures } from "./figures.ts";
import { blockOf } from "./ledger-order.ts";
import { compareWithLedger } from "./refold.ts";

export type OnProgress = (done: number, total: number) => void;

export type AuditParameters = {
  /** null before the first indexed block */
  readBook(): Promise<Book | null>;
  client: PublicClient;
  /** the escrows of the configuration: without them one of which no listing is known is not looked at */
  escrows?: readonly Address[];
  followsHolders(escrowAddress: string): boolean;
  /** whether findings name the addresses of persons */
  namesPersons?: boolean;
  /** more comparisons, with their number */
  more?: ((book: Book) => Promise<{ checks: number; findings: BareFinding[] }>) | undefined;
  onProgress?: OnProgress | undefined;
  /** how time passes between two looks, in milliseconds; tests have their own */
  wait?(milliseconds: number): Promise<unknown>;
};

/** How often a node may fail, or be on another fork than the index, before the audit does. */
const TRIES = 3;
const FIRST_PAUSE = 1_000;
/** The last pause, each being twice the one before: a minute in all. */
const LAST_PAUSE = 32_000;

/**
 * Audits once. Never rejects: what cannot be audited is the problem of a failed audit.
 *
 * A difference counts when a second look has it too. In a reorg the rows are taken back before the index names its new
 * head, over a slow node seconds before: so while the chain has gone on and the index still names the same head, it is
 * waited for, a minute at most, which is what an index that stands still costs.
 */
export async function audit(parameters: AuditParameters): Promise<Audit> {
  const { wait = sleep } = parameters;
  let failures = 0;
  let redAt: bigint | null = null;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const { result, head, isFinal, isBehind } = await look(parameters);
    if (isFinal || result.status === "ok") return result;
    if (result.status === "failed") {
      failures += 1;
      if (failures === TRIES) return result;
    } else {
      if (redAt !== null && (head !== redAt || !isBehind || pause > LAST_PAUSE)) return result;
      redAt = head;
    }
    await wait(pause);
  }
}

type Look = {
  result: Audit;
  /** the block that was looked at; null when nothing was */
  head: bigint | null;
  /** whether another look would bring nothing else */
  isFinal: boolean;
  /** whether the chain was further than the index */
  isBehind: boolean;
};

async function look(parameters: AuditParameters): Promise<Look> {
  const unseen = { head: null, isFinal: false, isBehind: false };
  try {
    const { client } = parameters;
    const book = await parameters.readBook();
    const unready = whyNotYet(book);
    if (book === null || unready !== null) return { ...unseen, result: failed(unready ?? ""), isFinal: true };
    const onAnotherFork = (await isOfThisChain(book, client)) ? null : OTHER_CHAIN;
    if (onAnotherFork !== null) return { ...unseen, result: failed(onAnotherFork) };
    const result = await compare(book, parameters);
    if (result.status !== "red") return { ...unseen, result, head: book.head.number };
    if (!(await isOfThisChain(book, client))) return { ...unseen, result: failed(OTHER_CHAIN) };
    const isBehind = (await client.getBlockNumber({ cacheTime: 0 })) > book.head.number;
    return { result, head: book.head.number, isFinal: false, isBehind };
  } catch (error) {
    return { ...unseen, result: failed(`The audit could not be done: ${reasonOf(error)}`) };
  }
}

async function compare(
  book: Book,
  {
    client,
    escrows: configured = [],
    followsHolders,
    namesPersons = false,
    more,
    onProgress,
  }: AuditParameters,
): Promise<Audit> {
  const { head, tables } = book;
  const { listings } = tables;
  const byEscrow = Map.groupBy(listings, ({ escrowAddress }) => escrowAddress);
  const escrows = [...new Set([...configured, ...byEscrow.keys()])];
  const figures = await readFigures(
    client,
    {
      listings,
      escrows: escrows.map((address) => ({ address, nextId: nextIdOf(byEscrow.get(address) ?? []) })),
      tokens: tables.tokens.map(({ token }) => token),
    },
    { block: head.number, onProgress },
  );
  const checked = checkBook({ ...book, figures, escrows, followsHolders });
  const refolded = await compareWithLedger(book, { namesPersons });
  const parts = [checked, book.order, refolded, ...(more === undefined ? [] : [await more(book)])];
  const refnums = new Map(listings.map((row) => [`${row.escrowAddress}/${row.onchainId}`, row.refnum]));
  const findings = parts.flatMap((part) =>
    part.findings.map((finding) => ({
      ...finding,
      refnum: refnums.get(`${finding.escrowAddress}/${finding.onchainId}`) ?? null,
      block: head.number.toString(),
    })),
  );
  return {
    status: findings.length === 0 ? "ok" : "red",
    block: head.number.toString(),
    at: isoTime(head.timestamp),
    events: book.events,
    checks: parts.reduce((sum, { checks }) => sum + checks, 0),
    listings: auditedListings(book, figures, findings),
    notAuditable: checked.notAuditable,
    findings,
    problem: null,
  };
}

function auditedListings(
  { tables }: Book,
  figures: Figures,
  findings: readonly BareFinding[],
): AuditedListing[] {
  const wrong = Map.groupBy(findings, ({ escrowAddress, onchainId }) => `${escrowAddress}/${onchainId}`);
  const rows = tables.listings.map((row): AuditedListing => {
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
      findings: wrong.get(keyOf(row))?.length ?? 0,
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

function whyNotYet(book: Book | null): string | null {
  if (book === null) return "Nothing is indexed yet.";
  if (book.backfilled) return null;
  return "The index is still being filled: audit it when /v1/ready answers 200.";
}

const OTHER_CHAIN =
  "The node does not have the blocks that were indexed. After a reorganisation that passes: try again. Else it is on another chain: look at RPC_URLS or --rpc-url.";

/** Whether the node has the indexed head, as far as its time tells, and the very block of the last event. */
async function isOfThisChain({ head, lastEvent }: Book, client: PublicClient): Promise<boolean> {
  const { timestamp } = await client.getBlock({ blockNumber: head.number });
  if (timestamp !== head.timestamp) return false;
  if (lastEvent === null) return true;
  const { hash } = await client.getBlock({ blockNumber: blockOf(lastEvent.eventId) });
  return hash === lastEvent.blockHash;
}

/** An audit that could not be done. */
export function failed(problem: string): Audit {
  return {
    status: "failed",
    block: null,
    at: null,
    events: 0,
    checks: 0,
    listings: [],
    notAuditable: [],
    findings: [],
    problem,
  };
}

/** The first line of what went wrong, without the address of a node: it can hold a key. */
function reasonOf(error: unknown): string {
  const short =
    error instanceof Error && "shortMessage" in error ? String(error.shortMessage) : String(error);
  return (short.split("\n")[0] ?? "").replace(/\b(?:https?|wss?|postgres(?:ql)?):\/\/\S+/g, "…");
}
