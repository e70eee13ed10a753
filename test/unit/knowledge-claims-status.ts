/** @module The claims on statuses and repayment states. */
import { expect } from "vitest";
import { listingSchema, STATUSES } from "../../api/market/schema.ts";
import { acceptsMoney, repaymentAt, statusAt } from "../../api/market/status.ts";
import { stateOf } from "../../api/site/standing.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { marketAt, marketOf } from "../harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../harness/rows.ts";
import { type Check, type Claim, section } from "./knowledge-claims.ts";

const STATUS_TEST = "api/market/status.test.ts";
const VISIBILITY = "api/market/visibility.test.ts";

const SUBSCRIBED = { firstSubscribedAt: NOW - DAY, raisedAmount: 80_000n * DOLLAR };
const CLOSED = { ...SUBSCRIBED, frozenAt: NOW, decidedAt: NOW };

const statusOf = (change: Partial<ListingRow>, now = NOW) => statusAt(listingRow(change), now).status;
/** The words on the site for raises in these states. */
const isCalled =
  (label: string, ...changes: Partial<ListingRow>[]): Check =>
  () => {
    for (const change of changes) {
      const [listing] = marketOf([listingRow(change)], [entryDraft()]).listings;
      expect(listing && stateOf(listing, NOW).label).toBe(label);
    }
  };

/** The repayment state so many seconds after maturity. */
const repaymentAfter = (seconds: bigint) =>
  repaymentAt(listingRow({ ...DRAWN, maturityAt: NOW }), NOW + seconds);
/** A state that ends after so many days, and the one that begins then. */
const untilDays =
  (days: bigint, state: string, next: string): Check =>
  () =>
    expect([repaymentAfter(days * DAY), repaymentAfter(days * DAY + 1n)]).toEqual([state, next]);

const statuses = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("statuses", anchor, claims);

const OWES_INTEREST = { ...DRAWN, repaidPrincipal: DRAWN.drawnAmount, outstandingPrincipal: 0n };

const STATUS_CLAIMS = [
  statuses("what-each-status-means", [
    ["| Open | backers can subscribe and withdraw |", isCalled("Open", {}, SUBSCRIBED)],
    [
      "| Funded | closed with its minimum met, not drawn down |",
      isCalled("Funded", { ...CLOSED, drawnDownAt: null }),
    ],
    ["| Repaying | principal is owed |", isCalled("Repaying · on time", { ...DRAWN, maturityAt: NOW })],
    [
      "| Principal repaid | only interest is owed |",
      isCalled("Principal repaid", { ...OWES_INTEREST, maturityAt: NOW }),
    ],
    [
      "| Paid off | nothing is owed, not settled yet |",
      isCalled("Paid off", { ...OWES_INTEREST, repaidInterest: DRAWN.drawnAmount }),
    ],
    [
      "| Repaid | matured: settled without a loss of principal |",
      isCalled("Repaid", { ...DRAWN, terminalKind: "settled", writtenOffPrincipal: 0n }),
    ],
    [
      "| Ended with a loss | matured: settled with principal lost |",
      isCalled("Ended with a loss", { ...DRAWN, terminalKind: "settled", writtenOffPrincipal: DOLLAR }),
    ],
    [
      "| Refunding | closed below its minimum, refunds can be claimed |",
      isCalled("Refunding", { ...CLOSED, raisedAmount: DOLLAR }),
    ],
    [
      "| Refunded | closed below its minimum, all refunds claimed |",
      isCalled("Refunded", { ...CLOSED, raisedAmount: DOLLAR, returnedPrincipal: DOLLAR }),
    ],
    [
      "| Voided | undone after the close, before the drawdown |",
      isCalled("Voided", { ...CLOSED, raisedAmount: 0n, terminalKind: "voided" }),
    ],
    ["| Cancelled | called off before the close |", isCalled("Cancelled", { terminalKind: "cancelled" })],
  ]),
  statuses("which-statuses-accept-money", [
    [
      "Only open raises do, auctions and fixed ones.",
      () => {
        const market = marketOf([listingRow({ pricingMode: "auction" })], [entryDraft()]);
        const [listing] = market.listings;
        expect(listing && [listing.acceptsMoney, stateOf(listing, NOW).label]).toEqual([
          true,
          "Open auction",
        ]);
      },
    ],
  ]),
  statuses("is-it-late-or-in-default", [
    [
      "What counts is the time since the due date (maturity), while principal is owed:",
      isCalled("Interest overdue", { ...OWES_INTEREST, maturityAt: NOW - 9n * DAY }),
    ],
    ["| On time | none |", untilDays(0n, "current", "grace")],
    ["| In grace | up to 7 |", untilDays(7n, "grace", "late")],
    ["| Late | up to 90 |", untilDays(90n, "late", "default")],
    ["| In default | more than 90 |", untilDays(90n, "late", "default")],
  ]),
  statuses("for-developers", [
    [
      '"Now" is the time of the last block read.',
      () => {
        const row = listingRow({ closeAt: NOW + DAY });
        const seen = [NOW, NOW + DAY].map(
          (now) => marketAt(now, [row], [entryDraft()]).listings.at(0)?.status,
        );
        expect(seen).toEqual(["listed", "refunding"]);
      },
    ],
  ]),
  statuses("for-developers", [
    ["`status` has exactly one of seven values", () => expect(new Set(STATUSES).size).toBe(7)],
    [
      "whatever happened on the chain",
      ["test/unit/status-invariants.test.ts › keeps its invariants whatever the chain says"],
    ],
    [
      "`listed` and `funding` (open, before and after the first subscription; `acceptsMoney` is true)",
      () => {
        expect([statusOf({}), statusOf(SUBSCRIBED)]).toEqual(["listed", "funding"]);
        expect(STATUSES.filter(acceptsMoney)).toEqual(["listed", "funding"]);
      },
    ],
    [
      "`live` (closed with its minimum met, on time or not)",
      () => {
        const [listing] = marketOf([listingRow({ ...CLOSED, drawnDownAt: null })], [entryDraft()]).listings;
        expect(listing).toMatchObject({ status: "live", repayment: "not_drawn" });
        expect(statusOf({ ...DRAWN, maturityAt: NOW - 200n * DAY })).toBe("live");
      },
    ],
    [
      "`matured` (settled), `refunding`, `voided` and `cancelled`",
      () =>
        expect([
          statusOf({ ...CLOSED, terminalKind: "settled", writtenOffPrincipal: DOLLAR }),
          statusOf({ ...CLOSED, raisedAmount: DOLLAR }),
          statusOf({ ...CLOSED, terminalKind: "voided" }),
          statusOf({ ...SUBSCRIBED, terminalKind: "cancelled" }),
        ]).toEqual(["matured", "refunding", "voided", "cancelled"]),
    ],
    [
      "At `closeAt` the status changes without any event.",
      () => {
        const closeAt = NOW + DAY;
        const before = statusOf({ ...SUBSCRIBED, closeAt }, closeAt - 1n);
        const met = statusOf({ ...SUBSCRIBED, closeAt }, closeAt);
        expect([before, met, statusOf({ closeAt }, closeAt)]).toEqual(["funding", "live", "refunding"]);
      },
    ],
    [
      "`matured`, `voided` and `cancelled` are final.",
      [`${STATUS_TEST} › is decided by the first end, whatever comes later`],
    ],
    [
      "`repayment` is `not_drawn`, `current` (on time), `grace`, `late`, `default`, `repaid` or `written_off`.",
      () => {
        expect(listingSchema.shape.repayment.options).toEqual([
          ...["not_drawn", "current", "grace", "late", "default", "repaid", "written_off"],
        ]);
        expect(repaymentAt(listingRow(CLOSED), NOW)).toBe("not_drawn");
        const settled = (writtenOffPrincipal: bigint) =>
          repaymentAt(listingRow({ ...DRAWN, terminalKind: "settled", writtenOffPrincipal }), NOW);
        expect([settled(0n), settled(1n)]).toEqual(["repaid", "written_off"]);
      },
    ],
    [
      "Until the settlement it goes by the date alone.",
      () => {
        const paid = { ...DRAWN, repaidPrincipal: DRAWN.drawnAmount, outstandingPrincipal: 0n };
        const after = (days: bigint) =>
          repaymentAt(listingRow({ ...paid, maturityAt: NOW }), NOW + days * DAY);
        expect([after(0n), after(7n), after(20n), after(91n)]).toEqual([
          "current",
          "grace",
          "late",
          "default",
        ]);
      },
    ],
  ]),
  statuses("why-is-a-raise-not-shown", [
    [
      "It is visible once it was created on the chain, the operator has published it, and its opening time has come.",
      [`${VISIBILITY} › when it is created, published and has gone live`],
    ],
  ]),
];

export const CLAIMS_ON_STATUS: readonly Claim[] = STATUS_CLAIMS.flat();
