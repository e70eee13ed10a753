import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { isoTime, LAST_SECOND } from "../../../config/format/time.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { appIn, BRAND } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { followedApp, later } from "../../../test/harness/followed.ts";
import { withoutIsolations } from "../../../test/harness/hostile/html-shape.ts";
import { breakingText } from "../../../test/harness/hostile/page.ts";
import { business } from "../../../test/harness/market.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  registryOf,
  repaymentRow,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, type TableDraft, tablesOf } from "../../../test/harness/snapshot.ts";

const CALENDARS = [
  "/calendar.ics",
  "/listings/lst_2/calendar.ics",
  "/originators/org_unverified/calendar.ics",
];

/** The file as a calendar program reads it. Throws at a line that is longer than the 75 octets of RFC 5545. */
function readCalendar(text: string) {
  // A calendar needs at least one component: RFC 5545, section 3.6.
  expect(text).toMatch(/\r\nEND:VCALENDAR\r\n$/);
  for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.getAllSubcomponents().length).toBeGreaterThan(0);
  const events = calendar.getAllSubcomponents("vevent").map((component) => {
    const { uid, summary, description, startDate, endDate } = new ICAL.Event(component);
    const value = (name: string) => `${component.getFirstPropertyValue(name)}`;
    return {
      uid,
      summary,
      description,
      at: startDate.toJSDate().toISOString(),
      url: value("url"),
      stamp: value("dtstamp"),
      modified: value("last-modified"),
      sequence: Number(value("sequence")),
      minutes: (endDate.toUnixTime() - startDate.toUnixTime()) / 60,
      alarms: component
        .getAllSubcomponents("valarm")
        .map((alarm) => `${alarm.getFirstPropertyValue("action")} ${alarm.getFirstPropertyValue("trigger")}`),
    };
  });
  return {
    name: unescaped(`${calendar.getFirstPropertyValue("x-wr-calname")}`),
    version: calendar.getFirstPropertyValue("version"),
    events,
  };
}

/** The parser leaves the text of a property that no RFC names as it stands. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([\\;,])/g, "$1");
}

/** The dates of raise 1 alone, with this row. */
async function datesWith(row: Partial<ListingRow>, draft: TableDraft = {}) {
  const snapshot = await snapshotOf(
    tablesOf({ listings: [listingRow(row)], ...draft }),
    registryOf([entryDraft()]),
  );
  const { ask } = await followedApp(snapshot);
  const { text, headers } = await ask("/listings/lst_1/calendar.ics");
  return { ...readCalendar(text), etag: headers.get("etag"), text };
}

describe.each(CALENDARS)("%s", (path) => {
  it("is an iCalendar with the headers of every answer", async () => {
    const ask = asking(await appIn());
    const { status, headers, text } = await ask(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("public, max-age=1");
    const { version, name, events } = readCalendar(text);
    expect(version).toBe("2.0");
    expect(name).toContain(BRAND.name);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
    expect((await ask(path, { method: "HEAD" })).headers.get("etag")).toBe(headers.get("etag"));
    expect((await ask(path, { method: "PUT" })).status).toBe(405);
    expect((await asking(await appIn({ snapshot: null }))(path)).status).toBe(503);
  });

  it("is named by its page", async () => {
    const ask = asking(await appIn());
    const page = path === "/calendar.ics" ? "/" : path.replace("/calendar.ics", "");
    const { headers, text } = await ask(page, { headers: { Accept: "text/html" } });
    expect(headers.get("link")).toContain(
      `<${SITE.publicUrl}${path}>; rel="alternate"; type="text/calendar"`,
    );
    expect(text).toContain(`<a href="${path}"`);
  });

  it("stays the same while blocks come that change nothing of it", async () => {
    const { ask, show } = await followedApp(await snapshotOf(tablesOf()));
    const first = await ask(path);
    show(await later(50n));
    const again = await ask(path, { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });
});

it("the market's has what the raises and the businesses have", async () => {
  const ask = asking(await appIn());
  const uids = async (path: string) => readCalendar((await ask(path)).text).events.map(({ uid }) => uid);
  const market = await uids("/calendar.ics");
  const listings = [1, 2, 3, 4, 5, 6, 7, 8];
  const raises = await Promise.all(listings.map((id) => uids(`/listings/lst_${id}/calendar.ics`)));
  expect(raises.flat().sort()).toEqual([...market].sort());
  const businesses = await Promise.all(
    ["org_northwind", "org_unverified"].map((id) => uids(`/originators/${id}/calendar.ics`)),
  );
  expect(businesses.flat().sort()).toEqual([...market].sort());
  expect(market).toEqual(["lst_3-due@chain-97.raisebook", "lst_2-closes@chain-97.raisebook"]);
  expect((await ask("/listings/lst_98/calendar.ics")).status).toBe(404);
});

it.each(["feed.atom", "calendar.ics", "share.png"])(
  "%s of a refnum leads to that of the public id",
  async (file) => {
    const ask = asking(await appIn());
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask(`/listings/RB00002/${file}`, { method });
      expect([status, headers.get("location")]).toEqual([302, `/listings/lst_2/${file}`]);
      expect(headers.get("cache-control")).toBe("public, max-age=1");
    }
    expect((await ask(`/listings/RB99999/${file}`)).status).toBe(404);
  },
);

describe("the close of a raise", () => {
  it("names the most that an auction can pay", async () => {
    const [event] = (await datesWith({ pricingMode: "auction" })).events;
    expect(event?.description).toContain(
      "seeks 100,000 USD-test at no more than 14.50% a year for 180 days.",
    );
  });

  it("is there while it is open, with its terms and the page", async () => {
    const { events } = await datesWith({});
    expect(events).toEqual([
      {
        uid: "lst_1-closes@chain-97.raisebook",
        summary: "Closes: Raise 1 (Northwind Bakery Pte. Ltd.)",
        description: `Northwind Bakery Pte. Ltd. seeks 100,000 USD-test at 14.50% a year for 180 days. It needs at least 50,000 USD-test by then. It may close earlier.\n${SITE.publicUrl}/listings/lst_1`,
        at: new Date(Number(NOW + 10n * DAY) * 1000).toISOString(),
        url: `${SITE.publicUrl}/listings/lst_1`,
        stamp: isoTime(NOW - DAY),
        modified: isoTime(NOW - DAY),
        sequence: 0,
        minutes: 30,
        alarms: ["DISPLAY -P1D"],
      },
    ]);
  });

  it("changes with the terms alone, not with what is subscribed", async () => {
    const first = await datesWith({});
    const funded = { raisedAmount: DOLLAR, subscriberCount: 1, firstSubscribedAt: NOW - 5n };
    expect((await datesWith(funded)).etag).toBe(first.etag);
    const moved = await datesWith({ closeAt: NOW + 11n * DAY });
    expect(moved.etag).not.toBe(first.etag);
    expect(moved.events[0]?.uid).toBe(first.events[0]?.uid);
    expect((await datesWith({ minRaise: DOLLAR })).etag).not.toBe(first.etag);
  });

  it("is a revision once the terms were updated, which calendars take for the newer one", async () => {
    const moved = { closeAt: NOW + 11n * DAY, termsUpdates: 2, termsUpdatedAt: NOW - 60n };
    const [before] = (await datesWith({})).events;
    const [after] = (await datesWith(moved)).events;
    expect(after).toMatchObject({
      uid: before?.uid,
      at: new Date(Number(NOW + 11n * DAY) * 1000).toISOString(),
      sequence: 2,
      stamp: isoTime(NOW - 60n),
      modified: isoTime(NOW - 60n),
    });
    // Terms that were set before the opening change nothing that a calendar has seen.
    const [early] = (await datesWith({ termsUpdates: 1, termsUpdatedAt: NOW - 2n * DAY })).events;
    expect(early).toMatchObject({ sequence: 1, stamp: before?.stamp });
  });

  it("is gone once it is closed, and is not there without a closing time", async () => {
    expect((await datesWith({ closeAt: NOW - 1n })).events).toEqual([]);
    expect((await datesWith({ closeAt: null })).events).toEqual([]);
    expect((await datesWith({ terminalKind: "cancelled", terminalAt: NOW - 1n })).events).toEqual([]);
  });
});

describe("a due date", () => {
  it("comes with the drawdown, and says what is owed", async () => {
    const { events } = await datesWith(DRAWN);
    expect(events).toMatchObject([
      {
        uid: "lst_1-due@chain-97.raisebook",
        summary: "Due: Raise 1 (Northwind Bakery Pte. Ltd.)",
        stamp: isoTime(DRAWN.drawnDownAt),
        at: new Date(Number(DRAWN.maturityAt) * 1000).toISOString(),
      },
    ]);
    expect(events[0]).toMatchObject({ sequence: 0, alarms: [], minutes: 30 });
    // 80,000 at 14.50% for 180 days of 365, rounded down
    expect(events[0]?.description).toContain(
      "Northwind Bakery Pte. Ltd. still owes 85,720.54 USD-test: 80,000 USD-test of principal and 5,720.54 USD-test of interest.",
    );
  });

  it("is revised by a payment, under the same name", async () => {
    const before = await datesWith(DRAWN);
    const paid = { ...DRAWN, repaidPrincipal: 100n * DOLLAR, outstandingPrincipal: 79_900n * DOLLAR };
    const after = await datesWith(paid, { repayments: [repaymentRow()] });
    expect(after.etag).not.toBe(before.etag);
    expect(after.events[0]).toMatchObject({ uid: before.events[0]?.uid, stamp: isoTime(NOW - 3_600n) });
    expect(after.events[0]?.description).toContain("79,900 USD-test of principal");
    // A paid loan is not owed again.
    const allInterest = { ...paid, repaidInterest: 5_800n * DOLLAR };
    expect((await datesWith(allInterest)).events[0]?.description).toContain(
      "still owes 79,900 USD-test of principal.",
    );
  });

  it.each([
    [1n, ["Overdue: Raise 1 (Northwind Bakery Pte. Ltd.)"]],
    [89n, ["Overdue: Raise 1 (Northwind Bakery Pte. Ltd.)"]],
    [91n, ["In default: Raise 1 (Northwind Bakery Pte. Ltd.)"]],
  ])("%s days overdue", async (days, summaries) => {
    const { events } = await datesWith({
      ...DRAWN,
      drawnDownAt: NOW - 300n * DAY,
      maturityAt: NOW - days * DAY,
    });
    expect(events.map(({ summary }) => summary)).toEqual(summaries);
  });

  it("is gone once nothing is owed", async () => {
    const paid = { ...DRAWN, outstandingPrincipal: 0n, repaidPrincipal: DRAWN.drawnAmount };
    expect((await datesWith(paid)).events).toEqual([]);
  });
});

it.each([0n, 10n ** 30n])(
  "a date that would end after the year 9999, by %s seconds, is left out",
  async (by) => {
    const last = LAST_SECOND - 1_800n;
    for (const at of [
      (time: bigint) => datesWith({ closeAt: time }),
      (time: bigint) => datesWith({ ...DRAWN, maturityAt: time }),
    ]) {
      expect((await at(last)).events).toMatchObject([{ at: "9999-12-31T23:29:59.000Z", minutes: 30 }]);
      expect((await at(last + 1n + by)).events).toEqual([]);
    }
  },
);

it("has 1,000 dates: those that come first, and the last of those that have passed", async () => {
  const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const dayOf = (time: string) => (Date.parse(time) / 1_000 - Number(NOW)) / Number(DAY);
  const shownOf = async (due: readonly number[]) => {
    const listings = due.map((day, at) =>
      listingRow({ ...DRAWN, onchainId: BigInt(at + 1), maturityAt: NOW + BigInt(day) * DAY }),
    );
    const ids = listings.map(({ onchainId }) => `${onchainId}`);
    const registry = registryOf(ids.map((id) => entryDraft({ publicId: `lst_${id}`, onchainId: id })));
    const { ask } = await followedApp(await snapshotOf(tablesOf({ listings }), registry));
    return readCalendar((await ask("/calendar.ics")).text).events.map(({ at }) => dayOf(at));
  };
  expect(await shownOf(days(-1_010, 2))).toEqual(days(-997, 2));
  expect(await shownOf(days(-5, 1_010))).toEqual(days(0, 999));
});

it("has nothing of the moment: made twice it is the same", async () => {
  const [first, second] = [await datesWith(DRAWN), await datesWith(DRAWN)];
  expect(second.text).toBe(first.text);
  const stamps = first.text.match(/\d{8}T\d{6}Z/g) ?? [];
  const { drawnDownAt, maturityAt } = DRAWN;
  // Stamp and last change, start and end.
  const known = [drawnDownAt, drawnDownAt, maturityAt, maturityAt + 1_800n].map((time) =>
    isoTime(time).replaceAll(/[-:]/g, ""),
  );
  expect(stamps.sort()).toEqual(known.sort());
});

it("texts of third parties are text, on lines that programs can read", async () => {
  const hostile = fc.record({ title: breakingText, legalName: breakingText, siteName: breakingText });
  const property = fc.asyncProperty(hostile, async (texts) => {
    const named = (text: string) => `a${text};,\\n\\`.slice(0, 200).toWellFormed();
    const plain = (text: string) =>
      stripControl(named(text).replace(/[\r\n\u2028\u2029]+/g, " "), { keepLineFeeds: false }).replaceAll(
        /[\uFFFE\uFFFF]/g,
        "",
      );
    const registry = registryOf(
      [entryDraft({ title: named(texts.title) })],
      [business({ legalName: named(texts.legalName) })],
    );
    const snapshot = await snapshotOf(tablesOf({ listings: [listingRow()] }), registry);
    const { ask } = await followedApp(snapshot, { brand: { ...BRAND, name: named(texts.siteName) } });
    const { name = "", events } = readCalendar((await ask("/calendar.ics")).text);
    expect(withoutIsolations(name)).toBe(plain(texts.siteName));
    expect(events).toHaveLength(1);
    const { listings, originators } = snapshot.market;
    const shown = (text = "") => text.replace(/[\u2028\u2029]+/g, " ").replaceAll(/[\uFFFE\uFFFF]/g, "");
    const summary = withoutIsolations(events[0]?.summary ?? "");
    expect(summary).toBe(`Closes: ${shown(listings.at(0)?.title)} (${shown(originators[0]?.legalName)})`);
  });
  await fc.assert(property, { numRuns: 15 });
});
