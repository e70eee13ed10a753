import { describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { calling } from "../../../test/harness/mcp.ts";
import { DAY, everyState, listingRow, NOW } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { dayOf } from "../../market/periods.ts";

const DOLLAR = 10n ** 18n;
const { escrowAddress } = listingRow();
const committed = (days: bigint, dollars: bigint) => ({
  ...{ escrowAddress, onchainId: 3n, day: dayOf(NOW - days * DAY), measure: "committed" as const },
  amount: dollars * DOLLAR,
});
const { rows, registry } = everyState();
const flows = [committed(50n, 1_000n), committed(20n, 250n), committed(19n, 50n)];
const tables = tablesOf({ listings: rows, flows });
const { call, facts } = calling(await appIn({ snapshot: await snapshotOf(tables, registry) }));

type Periods = { periods: { period: string; committed: string; display: object }[]; earlierPeriods: number };
const activityOf = async (args: object) =>
  (await facts("list_businesses", args)).activity as unknown as Periods;

describe("the activity of businesses by period", () => {
  it("is what was raised in each month of this year, in one call", async () => {
    const { periods, earlierPeriods } = await activityOf({ since: "2026-01-01", by: "month" });
    expect(periods.map(({ period, committed: amount }) => [period, amount])).toEqual([
      ["2026-01", `${1_000n * DOLLAR}`],
      ["2026-02", `${300n * DOLLAR}`],
      ["2026-03", "0"],
    ]);
    expect([earlierPeriods, periods[1]?.display]).toMatchObject([0, { committed: "300 USD-test" }]);
    const { text } = await call("list_businesses", { since: "2026-01-01", by: "month" });
    expect(text).toContain("- 2026-02: ");
    expect(text).toContain("committed 300 USD-test");
    expect(text).toMatch(/- 2026-03 so far: /);
  });

  it("is said in the singular and the plural", async () => {
    const listings = [
      listingRow(),
      listingRow({ onchainId: 2n, goLiveAt: NOW - 40n * DAY, createdAt: NOW - 40n * DAY }),
    ];
    const two = calling(await appIn({ snapshot: await snapshotOf(tablesOf({ listings, flows }), registry) }));
    const { text } = await two.call("list_businesses", { since: "2026-01-01", by: "month", limit: 2 });
    expect(text).toContain("- 2026-01: 1 raise opened, 0 closed");
    expect(text).toContain("- 2026-03 so far: 0 raises opened");
    const days = await two.call("list_businesses", { since: "2026-02-01", until: "2026-02-13", by: "day" });
    expect(days.text).toContain("Left out: 1 earlier period. With limit there are more.");
    const long = { since: "2025-08-12", until: "2026-02-28", by: "day", limit: 50 };
    expect((await two.call("list_businesses", long)).text).toContain(
      "Left out: 1 earlier period. Give an earlier until for them, or a longer by.",
    );
  });

  it("is of the businesses that match, and of the newest twelve periods unless a limit is given", async () => {
    const none = await activityOf({ q: "nobody at all", by: "quarter" });
    expect(new Set(none.periods.map(({ committed: amount }) => amount))).toEqual(new Set(["0"]));
    const days = { since: "2026-02-01", until: "2026-02-28", by: "day" };
    const short = await activityOf(days);
    expect([short.periods.length, short.periods.at(-1)?.period, short.earlierPeriods]).toEqual([
      12,
      "2026-02-28",
      16,
    ]);
    expect((await activityOf({ ...days, limit: 5 })).periods).toHaveLength(28);
    // The day of the last block is not over.
    const last = await activityOf({ since: "2026-02-28", until: "2026-03-01", by: "day" });
    expect(last.periods.map(({ period }) => period)).toEqual(["2026-02-28", "2026-03-01"]);
  });

  it.each([
    [{ by: "day", since: "1990-01-01" }, /at most 1000/],
    [{ by: "month", since: "2030-01-01" }, /after the last indexed block.*since/],
    [{ by: "month", since: "2026-02-01", until: "2025-02-01" }, /until/],
    [{ by: "month", since: "48211000" }, /times or dates/],
    [{ by: "month", since: "2026-01-01", kinds: ["repaid"] }, /kinds/],
  ])("gives advice on %j", async (args, advice) => {
    const { isError, text } = await call("list_businesses", args);
    expect(isError).toBe(true);
    expect(text).toMatch(advice);
  });
});
