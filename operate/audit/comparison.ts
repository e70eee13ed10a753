/**
 * Counts comparisons and collects differences.
 * @module
 */
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
    compare({ check, escrowAddress, onchainId, field }, expected, found) {
      comparison.checks += 1;
      if (`${expected}` === `${found}`) return;
      comparison.findings.push({
        check,
        escrowAddress,
        onchainId: onchainId === null ? null : onchainId.toString(),
        field,
        expected: `${expected}`,
        found: `${found}`,
      });
    },
  };
  return comparison;
}
