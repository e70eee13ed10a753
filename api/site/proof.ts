/** @module The last audit in one line, for the pages whose figures it covers. */

import { counted } from "../../config/format/counted.ts";
import type { Audit, AuditorState } from "../health/audit.ts";
import type { AuditBadge } from "./page.ts";

const DETAILS = "/system#audit";

/** Compared for every cached page at each request. */
const proofs = new WeakMap<Audit, AuditBadge>();

export function auditBadgeOf({ last }: Pick<AuditorState, "last">): AuditBadge | null {
  if (last === null) return null;
  const proof = proofs.get(last) ?? proofFrom(last);
  proofs.set(last, proof);
  return proof;
}

function proofFrom({ status, block, checks, findings, notAuditable }: Audit): AuditBadge {
  if (status === "failed" || block === null) {
    return { text: "The last check against the contracts was not completed", href: DETAILS, tone: "warn" };
  }
  const at = BigInt(block).toLocaleString("en-US");
  return {
    text: `Checked against the contracts at block ${at}: ${counted(checks, "figures")}, ${counted(findings.length, "differences")}${missingWords(notAuditable)}`,
    href: DETAILS,
    tone: findings.length === 0 ? "good" : "bad",
  };
}

function missingWords(notAuditable: readonly string[]): string {
  return notAuditable.length === 0 ? "" : `, ${notAuditable.length} could not be compared`;
}

/** The same for one raise; null when the audit did not cover it, such as a newer raise. */
export function auditBadgeOfRaise(
  last: Audit | null,
  { escrowAddress, onchainId }: { escrowAddress: string; onchainId: string },
): AuditBadge | null {
  const own = last?.listings.find(
    (one) => one.escrowAddress === escrowAddress && one.onchainId === onchainId,
  );
  if (own === undefined || last?.block == null) return null;
  // Each begins with the address of the contract that does not report it.
  const ofRaise = last.notAuditable.filter((what) => what.startsWith(escrowAddress));
  const at = BigInt(last.block).toLocaleString("en-US");
  return {
    text: `Checked against the contract at block ${at}: ${counted(own.findings, "differences")}${missingWords(ofRaise)}`,
    href: DETAILS,
    tone: own.findings === 0 ? "good" : "bad",
  };
}
