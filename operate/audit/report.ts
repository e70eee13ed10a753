/** @module An audit as text for the terminal. */

import type { Audit } from "../../api/health/audit.ts";
import { formatAmount } from "../../api/market/amount.ts";
import { counted } from "../../config/format/counted.ts";
import { stripControl } from "../../config/format/untrusted-text.ts";

/** The verdict is the last line. Reference numbers are free text from the chain, so control characters are removed. */
export function reportOf(audit: Audit): string {
  return stripControl(linesOf(audit), { keepLineFeeds: true });
}

function linesOf(audit: Audit): string {
  if (audit.status === "failed") return `${audit.problem}\n`;
  const { listings, findings, notAuditable, surpluses } = audit;
  // If each raise has its own escrow, their ids are the same.
  const isOfSeveral = new Set(listings.map(({ escrowAddress }) => escrowAddress)).size > 1;
  const table = aligned([
    ["", "raised", "refunded", "reserve", "outstanding", "token supply", ""],
    ...listings.map((listing) => [
      oneLine(listing.refnum ?? `#${listing.onchainId}${isOfSeveral ? ` of ${listing.escrowAddress}` : ""}`),
      figure(listing.raisedAmount),
      figure(listing.refundedAmount),
      figure(listing.reserveBalance),
      figure(listing.outstandingPrincipal),
      listing.supply === null ? "?" : figure(listing.supply),
      listing.findings === 0 ? "ok" : `${listing.findings} differ`,
    ]),
  ]);
  const missing = notAuditable.map((what) => `  not auditable: ${what}`);
  const surplus = surpluses.map(
    ({ escrowAddress, amount }) => `  surplus: ${amount} base units of the dollar at escrow ${escrowAddress}`,
  );
  const differences = findings.flatMap(({ escrowAddress, onchainId, refnum, field, check, ...finding }) => [
    `  ${nameOf({ refnum, onchainId, escrowAddress })}: ${field} (${check})`,
    `    expected ${oneLine(finding.expected)}`,
    `    found    ${oneLine(finding.found)}`,
    `    at block ${finding.block}`,
  ]);
  const what = `${counted(audit.checks, "figures")} of ${counted(listings.length, "listings")} and ${counted(audit.events, "events")} at block ${audit.block} (${audit.at})`;
  const verdict =
    findings.length === 0
      ? `No differences: ${what}.`
      : `${counted(findings.length, "differences")} in ${what}.`;
  return [...table, "", ...missing, ...surplus, ...proven(audit), ...differences, verdict, ""].join("\n");
}

/** The lines about events that are proven to be complete; empty if that is not known. */
function proven({ completeness }: Audit): string[] {
  if (completeness === null || completeness.mode === "none") return [];
  const { provenBlock, provenBlocks, unprovenBlocks } = completeness;
  const all = BigInt(provenBlocks) + BigInt(unprovenBlocks);
  const upTo = provenBlock === null ? "" : `, up to block ${provenBlock}`;
  return [`  proven complete: ${provenBlocks} of ${all} blocks with events${upTo}`];
}

type Where = Pick<Audit["findings"][number], "refnum" | "onchainId" | "escrowAddress">;

function nameOf({ refnum, onchainId, escrowAddress }: Where): string {
  if (escrowAddress === null) return "All tables";
  if (onchainId === null) return `All listings of escrow ${escrowAddress}`;
  const listing = refnum === null ? `Listing ${onchainId}` : `${oneLine(refnum)}, listing ${onchainId}`;
  return `${listing} of escrow ${escrowAddress}`;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}

/** Cut to cents; differences are shown in base units. */
function figure(baseUnits: string): string {
  return formatAmount(baseUnits, { unit: null });
}

/** Pads columns to their widest cell: the first and the last to the left, figures to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || column === row.length - 1 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join("  ")}`.trimEnd();
  });
}
