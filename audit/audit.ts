/**
 * One audit: the tables at the last indexed block against the chain at that block, and against the ledger.
 * @module
 */
import type { Address, PublicClient } from "viem";
import { isoTime } from "../api/market/time.ts";
import { outstandingPrincipal } from "../src/fold/rules.ts";
import type { Book } from "./book.ts";
import { checkBook, nextIdOf } from "./checks.ts";
import { type Figures, keyOf, readFigures } from "./figures.ts";
import type { Audit, AuditedListing, BareFinding } from "./finding.ts";
import { compareWithLedger } from "./refold.ts";

/** A difference counts when a second look has it too: a reorg between the two readings is none. */
const ATTEMPTS = 3;

export type OnProgress = (done: number, total: number) => void;

export type AuditParameters = {
  /** null before the first indexed block */
  readBook(): Promise<Book | null>;
  client: PublicClient;
  followsHolders(escrowAddress: string): boolean;
  /** more comparisons, with their number */
  more?: ((book: Book) => Promise<{ checks: number; findings: BareFinding[] }>) | undefined;
  onProgress?: OnProgress | undefined;
};

/** Audits once. Never rejects: what cannot be audited is the problem of a failed audit. */
export async function audit(parameters: AuditParameters): Promise<Audit> {
  try {
    for (let attempt = 1; ; attempt++) {
      const book = await parameters.readBook();
      if (book === null) return failed("Nothing is indexed yet.");
      const result = await compare(book, parameters);
      if (result.status !== "red") return result;
      const moved = !(await isStillThere(book, parameters.client));
      if (attempt > 1 && !moved) return result;
      if (attempt === ATTEMPTS)
        return failed("The chain is reorganised faster than it can be audited; try again.");
    }
  } catch (error) {
    return failed(`The audit could not be done: ${reasonOf(error)}`);
  }
}

async function compare(
  book: Book,
  { client, followsHolders, more, onProgress }: AuditParameters,
): Promise<Audit> {
  const { head, tables } = book;
  const { listings } = tables;
  const byEscrow = Map.groupBy(listings, ({ escrowAddress }) => escrowAddress);
  const figures = await readFigures(
    client,
    {
      listings,
      escrows: [...byEscrow].map(([address, own]) => ({
        address: address as Address,
        nextId: nextIdOf(own),
      })),
      tokens: tables.tokens.map(({ token }) => token),
    },
    { block: head.number, onProgress },
  );
  const checked = checkBook({ ...book, figures, followsHolders });
  const parts = [checked, await compareWithLedger(book), ...(more === undefined ? [] : [await more(book)])];
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

/** Whether the chain still has the block of the last event that the tables have. */
async function isStillThere({ lastEvent }: Book, client: PublicClient): Promise<boolean> {
  if (lastEvent === null) return true;
  // An event id has the block's number in the digits 26 to 41.
  const blockNumber = BigInt(lastEvent.eventId.slice(26, 42));
  const { hash } = await client.getBlock({ blockNumber });
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
