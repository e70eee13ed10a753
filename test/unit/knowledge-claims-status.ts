/**
 * The claims on statuses and repayment states.
 * @module
 */
import { expect } from "vitest";
import { listingSchema, STATUSES } from "../../api/market/schema.ts";
import { acceptsMoney, repaymentAt, statusAt } from "../../api/market/status.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { OUTCOMES } from "../../src/fold/vocabulary.ts";
import { marketAt, marketOf } from "../harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../harness/rows.ts";
import { type Check, type Claim, section } from "./knowledge-claims.ts";

const STATUS_TEST = "api/market/status.test.ts";
const VISIBILITY = "api/market/visibility.test.ts";
const REFUNDS = "test/contracts/refunds.test.ts";

const SUBSCRIBED = { firstSubscribedAt: NOW - DAY, raisedAmount: 80_000n * DOLLAR };
const CLOSED = { ...SUBSCRIBED, frozenAt: NOW, decidedAt: NOW };

const statusOf = (change: Partial<ListingRow>, now = NOW) => statusAt(listingRow(change), now).status;
const isStatus =
  (status: string, change: Partial<ListingRow>): Check =>
  () =>
    expect(statusOf(change)).toBe(status);

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

const STATUS_CLAIMS = [
  statuses("", [
    ["exactly one of seven values of `status`", () => expect(new Set(STATUSES).size).toBe(7)],
    [
      "whatever happened on the chain",
      ["test/unit/status-invariants.test.ts › keeps its invariants whatever the chain says"],
    ],
  ]),
  statuses("what-each-status-means", [
    ["| `listed` | accepts | open, no subscription yet |", isStatus("listed", {})],
    ["| `funding` | accepts | open, after the first subscription |", isStatus("funding", SUBSCRIBED)],
    ["| `live` | repays | closed with its minimum met |", isStatus("live", CLOSED)],
    [
      "| `matured` | ended | settled: repaid, or the rest written off |",
      isStatus("matured", { ...CLOSED, terminalKind: "settled", writtenOffPrincipal: DOLLAR }),
    ],
    [
      "| `refunding` | returns | closed below its minimum |",
      isStatus("refunding", { ...CLOSED, raisedAmount: DOLLAR }),
    ],
    [
      "| `voided` | returns | undone after the close, before the drawdown |",
      isStatus("voided", { ...CLOSED, terminalKind: "voided" }),
    ],
    [
      "| `cancelled` | returns | called off before the close |",
      isStatus("cancelled", { ...SUBSCRIBED, terminalKind: "cancelled" }),
    ],
    [
      "`live` begins at the close, before the drawdown. It does not say that payments are on time",
      () => {
        const drawnDownAt = null;
        const [listing] = marketOf([listingRow({ ...CLOSED, drawnDownAt })], [entryDraft()]).listings;
        expect(listing).toMatchObject({ status: "live", repayment: "not_drawn" });
        expect(statusOf({ ...DRAWN, maturityAt: NOW - 200n * DAY })).toBe("live");
      },
    ],
  ]),
  statuses("which-statuses-accept-money", [
    [
      "Only `listed` and `funding`. The field `acceptsMoney` says the same.",
      () => expect(STATUSES.filter(acceptsMoney)).toEqual(["listed", "funding"]),
    ],
  ]),
  statuses("how-a-status-changes", [
    [
      "`listed` becomes `funding` with the first subscription, and stays so when all money is withdrawn again.",
      isStatus("funding", { ...SUBSCRIBED, raisedAmount: 0n }),
    ],
    [
      "`listed` and `funding` become `live` or `refunding` at the close, or `cancelled` before it.",
      [
        "test/unit/status-invariants.test.ts › takes only the listed edges where the reference escrow permits the history",
      ],
    ],
    [
      "`live` becomes `matured` when it is settled.",
      isStatus("matured", { ...DRAWN, terminalKind: "settled" }),
    ],
    [
      "`live` and `refunding` can be `voided` before the drawdown.",
      [
        `${REFUNDS} › is the owner's, after ListingClosed and before the drawdown, once`,
        `${REFUNDS} › after a void of a failed raise, whoever was refunded before it`,
      ],
    ],
    [
      "An auction whose closing event fixes another amount can turn once between `live` and `refunding`.",
      [`${STATUS_TEST} › turns once more at the close of an auction that fixes another figure`],
    ],
    [
      "`matured`, `voided` and `cancelled` are final.",
      [`${STATUS_TEST} › is decided by the first end, whatever comes later`],
    ],
    [
      "`statusSince` is the time at which the status began.",
      () => expect(statusAt(listingRow(CLOSED), NOW + DAY).since).toBe(NOW),
    ],
  ]),
  statuses("can-a-status-change-by-time-alone", [
    [
      "only from `listed` or `funding` at `closeAt`: then the raise is `live` or `refunding` without any event",
      () => {
        const closeAt = NOW + DAY;
        const before = statusOf({ ...SUBSCRIBED, closeAt }, closeAt - 1n);
        const met = statusOf({ ...SUBSCRIBED, closeAt }, closeAt);
        expect([before, met, statusOf({ closeAt }, closeAt)]).toEqual(["funding", "live", "refunding"]);
      },
    ],
    [
      '"Now" is the time of the last indexed block, never the clock of a computer.',
      () => {
        const row = listingRow({ closeAt: NOW + DAY });
        const seen = [NOW, NOW + DAY].map((now) => marketAt(now, [row], [entryDraft()]).listings[0]?.status);
        expect(seen).toEqual(["listed", "refunding"]);
      },
    ],
    [
      "the first block whose time is at or past `closeAt`",
      [`${STATUS_TEST} › changes with time at closeAt and not a second before`],
    ],
  ]),
  statuses("is-it-late-or-in-default", [
    [
      "`repayment` says how a loan stands:",
      () =>
        expect(listingSchema.shape.repayment.options).toEqual([
          "not_drawn",
          "current",
          "grace",
          "late",
          "default",
          "repaid",
          "written_off",
        ]),
    ],
    [
      "| `not_drawn` | no money was drawn down |",
      () => expect(repaymentAt(listingRow(CLOSED), NOW)).toBe("not_drawn"),
    ],
    ["| `current` | not past maturity |", untilDays(0n, "current", "grace")],
    ["| `grace` | up to 7 days past maturity |", untilDays(7n, "grace", "late")],
    ["| `late` | up to 90 days past maturity |", untilDays(90n, "late", "default")],
    ["| `default` | more than 90 days past maturity |", untilDays(90n, "late", "default")],
    [
      "| `repaid` | settled, no principal lost |",
      () => {
        const settled = listingRow({ ...DRAWN, terminalKind: "settled", writtenOffPrincipal: 0n });
        expect(repaymentAt(settled, NOW + 400n * DAY)).toBe("repaid");
      },
    ],
    [
      "| `written_off` | settled with a loss of principal |",
      () => {
        const settled = listingRow({ ...DRAWN, terminalKind: "settled", writtenOffPrincipal: 1n });
        expect(repaymentAt(settled, NOW)).toBe("written_off");
      },
    ],
    [
      "`repaid`, `repaid_with_reserve` or `defaulted`; before it is null",
      () => {
        expect(OUTCOMES).toEqual(["repaid", "repaid_with_reserve", "defaulted"]);
        expect(marketOf([listingRow(DRAWN)], [entryDraft()]).listings[0]?.outcome).toBeNull();
      },
    ],
  ]),
  statuses("why-is-a-raise-not-shown", [
    [
      "A listing is visible once it was created on the chain, the operator has published it, and `goLiveAt` has come.",
      [`${VISIBILITY} › when it is created, published and has gone live`],
    ],
    ["Then it stays, in every status.", [`${VISIBILITY} › in every status`]],
    [
      "An originator is visible with its first visible listing.",
      [`${VISIBILITY} › with a visible listing, and not with a hidden one`],
    ],
  ]),
];

export const CLAIMS_ON_STATUS: readonly Claim[] = STATUS_CLAIMS.flat();
