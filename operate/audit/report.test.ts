import { describe, expect, it } from "vitest";
import type { Audit } from "../../api/health/audit.ts";
import { failed } from "./audit.ts";
import { reportOf } from "./report.ts";

const ESCROW = `0x${"e5".repeat(20)}`;
const DOLLAR = 10n ** 18n;

function auditOf(change: Partial<Audit> = {}): Audit {
  const listing = {
    escrowAddress: ESCROW,
    onchainId: "1",
    refnum: "RB00001",
    raisedAmount: `${1_234_567n * DOLLAR + DOLLAR / 2n}`,
    refundedAmount: "0",
    reserveBalance: "1",
    outstandingPrincipal: `${20n * DOLLAR}`,
    supply: null,
    findings: 0,
  };
  const { problem, ...empty } = failed("");
  return {
    ...empty,
    status: "ok",
    problem: null,
    block: "7",
    at: "2026-03-01T12:00:00Z",
    listings: [listing],
    ...change,
  };
}

const FINDING: Audit["findings"][number] = {
  check: "views",
  escrowAddress: ESCROW,
  onchainId: "1",
  refnum: "RB00001",
  field: "raisedAmount",
  expected: "2",
  found: "1",
  block: "7",
};

describe("reportOf", () => {
  it("is a table with a verdict", () => {
    expect(reportOf(auditOf({ checks: 12, events: 3 })).split("\n")).toEqual([
      "                 raised  refunded  reserve  outstanding  token supply",
      "  RB00001  1,234,567.50         0    <0.01           20             ?  ok",
      "",
      "No differences: 12 figures of 1 listing and 3 events at block 7 (2026-03-01T12:00:00Z).",
      "",
    ]);
  });

  it("names the escrow of raises without a reference number where there are several", () => {
    const nameless = auditOf().listings.map((listing) => ({ ...listing, refnum: null }));
    const names = (listings: Audit["listings"]) =>
      reportOf(auditOf({ listings })).match(/^ {2}#1( of \w+)?(?= )/gm);
    expect(names(nameless)).toEqual(["  #1"]);
    const other = `0x${"e6".repeat(20)}`;
    const both = [...nameless, ...nameless.map((listing) => ({ ...listing, escrowAddress: other }))];
    expect(names(both)).toEqual([`  #1 of ${ESCROW}`, `  #1 of ${other}`]);
  });

  it("tells each difference with listing, field, expected, found and block", () => {
    const whole = {
      ...FINDING,
      check: "ledger" as const,
      escrowAddress: null,
      onchainId: null,
      refnum: null,
    };
    const text = reportOf(
      auditOf({
        status: "red",
        findings: [FINDING, { ...FINDING, onchainId: null, refnum: null }, whole],
        notAuditable: [`${ESCROW}: dollar()`],
        surpluses: [{ escrowAddress: ESCROW, amount: "7" }],
      }),
    );
    expect(text).toContain(
      `  RB00001, listing 1 of escrow ${ESCROW}: raisedAmount (views)\n    expected 2\n    found    1\n    at block 7\n`,
    );
    expect(text).toContain(`  All listings of escrow ${ESCROW}: raisedAmount (views)\n`);
    expect(text).toContain("  All tables: raisedAmount (ledger)\n");
    expect(text).toContain(`  not auditable: ${ESCROW}: dollar()\n`);
    expect(text).toContain(`  surplus: 7 base units of the dollar at escrow ${ESCROW}\n`);
    expect(text).toContain("\n3 differences in ");
  });

  it("lets no text of the chain move the cursor or forge a line", () => {
    const refnum = "RB\u001b[2J\u009b1A\u202e\nNo differences";
    const [listing] = auditOf().listings;
    if (listing === undefined) throw new Error("there is a listing");
    const findings = [{ ...FINDING, refnum, field: "refnum", expected: refnum, found: "RB00001" }];
    const text = reportOf(auditOf({ listings: [{ ...listing, refnum }], findings, status: "red" }));
    for (const sign of ["\u001b", "\u009b", "\u202e"]) expect(text).not.toContain(sign);
    expect(text.split("\n").filter((line) => line.startsWith("No differences"))).toEqual([]);
  });

  it("is the problem of a failed audit", () => {
    expect(reportOf(failed("No node answers."))).toBe("No node answers.\n");
  });
});
