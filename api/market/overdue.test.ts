import { expect, it } from "vitest";
import { daysOverdue } from "./schedule.ts";

const MATURITY = "2026-03-01T12:00:00Z";
const AT = 1_772_366_400n;
const DAY = 86_400n;
const owing = { maturityAt: MATURITY, repayment: "late", outstandingPrincipal: "1" } as const;

it.each([
  [1n, 0],
  [DAY - 1n, 0],
  [DAY, 1],
  [8n * DAY - 1n, 7],
  [200n * DAY, 200],
])("counts whole days: %s seconds after maturity %s", (seconds, days) => {
  expect(daysOverdue(owing, AT + seconds)).toBe(days);
});

it.each(["grace", "late", "default"] as const)("counts them in %s", (repayment) => {
  expect(daysOverdue({ ...owing, repayment }, AT + 3n * DAY)).toBe(3);
});

it("has none where nothing is overdue", () => {
  for (const repayment of ["not_drawn", "current", "repaid", "written_off"] as const) {
    expect(daysOverdue({ ...owing, repayment }, AT + 3n * DAY), repayment).toBeNull();
  }
  expect(daysOverdue({ ...owing, outstandingPrincipal: "0" }, AT + 3n * DAY)).toBeNull();
  expect(daysOverdue({ ...owing, maturityAt: null }, AT + 3n * DAY)).toBeNull();
});
