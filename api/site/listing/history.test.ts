import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import { EVENT_KINDS } from "../../../src/fold/vocabulary.ts";
import { fixedLedger, recordedLedger } from "../../../test/harness/fixed-ledger.ts";
import {
  type Asking,
  ask,
  BACKER,
  linksIn,
  PLACE,
  pageOf,
  partsIn,
  section,
  subscription,
  tableIn,
  textIn,
} from "../../../test/harness/listing-page.ts";
import { HEAD, NOW, offerRow } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { encodeEventCursor } from "../../ledger/cursor.ts";
import { exactOf, textOf } from "../value.ts";
import { EVENT_GROUPS } from "./history.ts";

describe("its history", () => {
  it("is asked for up to the block of the snapshot, below the place asked for", async () => {
    const { asked, reader } = recordedLedger();
    await pageOf({ ledger: reader });
    const older = await pageOf({ ledger: reader, query: `before=${encodeEventCursor(PLACE)}` });
    const query = { kinds: null, since: null, until: { block: HEAD.number }, limit: 50 };
    expect(asked.events).toEqual([
      { ...query, before: null },
      { ...query, before: PLACE },
    ]);
    // A page of older events has no chart, and asks for none.
    expect(asked.series.map(({ until }) => until)).toEqual([{ block: HEAD.number }]);
    expect(older.sections.filter(({ id }) => id === "chart")).toEqual([]);
    expect(new Set(asked.pairs.flat())).toEqual(new Set(["1"]));
  });

  it("shows each event with its place, and no address of a person", async () => {
    const ledger = fixedLedger({ events: { rows: [subscription(0n), subscription(40n)] } });
    for (const exposeAccounts of [false, true]) {
      const page = await pageOf({ ledger, exposeAccounts });
      const table = tableIn(section(page, "history"));
      expect(table?.rows.map(({ key, cells }) => [key, ...cells.map(exactOf)])).toEqual([
        [
          `${HEAD.number}.4`,
          isoTime(NOW),
          "A backer subscribed <0.01 USD-test. Running total: <0.01.",
          `${HEAD.number}`,
          `0x${"7a".repeat(32)}`,
          "pending",
        ],
        [
          `${HEAD.number - 40n}.4`,
          isoTime(NOW - 40n),
          expect.anything(),
          expect.anything(),
          expect.anything(),
          "final",
        ],
      ]);
      expect(table?.rows[0]?.cells[3]).toSatisfy((cell) => textOf(cell) === "0x7a7a7a…7a7a7a");
      expect(textIn(page).toLowerCase()).not.toContain(BACKER.slice(2));
    }
  });

  it("leads to older events and back", async () => {
    const older = `/listings/lst_1?before=${encodeEventCursor(PLACE)}#history`;
    const hrefs = async (asked: Asking) => partsIn(await pageOf(asked)).map(({ href }) => href);
    const more = fixedLedger({ events: { rows: [subscription(0n)], next: PLACE } });
    expect(await hrefs({ ledger: more })).toEqual([older]);
    expect(await hrefs({ ledger: more, query: `before=${encodeEventCursor(PLACE)}` })).toEqual([
      "/listings/lst_1#history",
      older,
    ]);
    expect(await hrefs({ query: `before=${encodeEventCursor(PLACE)}` })).toEqual(["/listings/lst_1#history"]);
    expect(await hrefs({})).toEqual([]);
  });

  it("is of one group of events where the address names it", async () => {
    const { asked, reader } = recordedLedger();
    const page = await pageOf({ ledger: reader, query: "events=repayments" });
    expect(asked.events[0]?.kinds).toEqual(new Set(["drawn_down", "repaid", "payout_claimed"]));
    const tabs = linksIn(section(page, "history")).filter(({ isCurrent }) => isCurrent !== undefined);
    expect(tabs.filter(({ isCurrent }) => isCurrent).map(({ text }) => text)).toEqual(["Repayments"]);
    expect(tabs.map(({ href }) => href)).toEqual([
      "/listings/lst_1#history",
      ...["subscriptions", "refunds", "repayments", "reserve", "lifecycle", "desk"].map(
        (group) => `/listings/lst_1?events=${group}#history`,
      ),
    ]);
    const kinds = Object.values(EVENT_GROUPS).flatMap((group): readonly string[] => group.kinds);
    expect(kinds.toSorted()).toEqual([...EVENT_KINDS].toSorted());
  });

  it.each(["nonsense", "__proto__", ""])(
    "of the group %j is refused, with what is allowed",
    async (group) => {
      const found = await ask({ query: `events=${group}` });
      if (found.kind !== "refused") throw new Error(`${found.kind} is no refusal`);
      expect(textIn(found.page)).toContain(
        "Allowed: subscriptions, refunds, repayments, reserve, lifecycle, desk.",
      );
    },
  );

  it("does not change when the page was changed last, whatever part of it is shown", async () => {
    const offer = offerRow({ createdAt: NOW - 60n });
    const snapshot = await snapshotOf(tablesOf({ offers: [offer] }));
    const ledger = fixedLedger({ events: { rows: [subscription(40n)] } });
    const updated = async (query: string) => (await pageOf({ snapshot, ledger, query })).updated;
    expect([await updated(""), await updated(`before=${encodeEventCursor(PLACE)}`)]).toEqual([
      isoTime(NOW - 60n),
      isoTime(NOW - 60n),
    ]);
  });

  it("says when it is empty", async () => {
    const emptyIn = async (asked: Asking) => {
      const table = tableIn(section(await pageOf(asked), "history"));
      return [table?.rows.length, table?.empty];
    };
    expect(await emptyIn({})).toEqual([0, "Nothing has happened on the chain yet."]);
    expect(await emptyIn({ query: `before=${encodeEventCursor(PLACE)}` })).toEqual([
      0,
      "There are no older events.",
    ]);
  });
});
