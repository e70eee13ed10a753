/** @module Counts comparisons and collects differences. */
import type { Finding } from "../../api/health/audit.ts";

type Check = Finding["check"];
/** A finding without its block and reference number. */
export type BareFinding = Pick<
  Finding,
  "check" | "escrowAddress" | "onchainId" | "field" | "expected" | "found"
>;
export type Where = { check: Check; escrowAddress: string | null; onchainId: bigint | null; field: string };

export type Comparison = {
  checks: number;
  findings: BareFinding[];
  compare(where: Where, expected: bigint | string, found: bigint | string): void;
};

export function createComparison(): Comparison {
  const comparison: Comparison = {
    checks: 0,
    findings: [],
    compare({ check, escrowAddress, onchainId: id, field }, expected, found) {
      comparison.checks += 1;
      if (`${expected}` === `${found}`) return;
      const onchainId = id === null ? null : id.toString();
      const values = { expected: `${expected}`, found: `${found}` };
      comparison.findings.push({ check, escrowAddress, onchainId, field, ...values });
    },
  };
  return comparison;
}

/** How a finding names a person among those of its raise. */
export function personIn(
  role: "backer" | "holder",
  address: string,
  { number, namesPersons }: { number: string; namesPersons: boolean },
): string {
  return namesPersons ? `${role} ${address} (${number})` : `${role} ${number}`;
}
