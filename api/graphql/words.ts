/**
 * What GraphQL must say and the schemas of the REST answers do not: names of the types within others, and what each
 * word of an enum means.
 * @module
 */
import { EVENT_DESCRIPTORS } from "../../src/fold/event-kinds.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import type { Health } from "../health/schema.ts";
import { eventTypeName } from "../ledger/schema.ts";
import type { Sort } from "../market/listings-query.ts";
import type { Grade, Listing, Repayment, Status } from "../market/schema.ts";
import type { KybStatus } from "../registry/schema.ts";

export { eventTypeName } from "../ledger/schema.ts";

/** Names of what REST leaves without one, by where it stands. */
export const NAMES: Readonly<Record<string, string>> = {
  "Listing.pricingMode": "PricingMode",
  "Listing.repayment": "Repayment",
  "Listing.outcome": "Outcome",
  "Originator.kybStatus": "KybStatus",
  "Rating.cap": "Grade",
  "Schedule.payments": "Payment",
  "Stats.byStatus": "ListingCounts",
  "Trading.lastTrade": "Trade",
  "Trading.listings": "DeskListing",
  "Health.status": "HealthStatus",
  "Health.restarts": "Restarts",
  "Health.registry": "RegistryState",
  "RegistryState.status": "RegistryStatus",
  "Health.anomalies": "AnomalyCounts",
  "AnomalyCounts.byKind": "AnomalyCount",
  "Health.audit": "AuditSummary",
  "AuditSummary.status": "AuditStatus",
  ...Object.fromEntries(EVENT_KINDS.map((kind) => [`${eventTypeName(kind)}.kind`, "EventKind"])),
};

const STATUS: Record<Status, string> = {
  listed: "Open, nobody has subscribed yet; accepts money.",
  funding: "Open, somebody has subscribed; accepts money.",
  live: "Closed with its minimum met; the money is repaid.",
  matured: "Settled; finished.",
  refunding: "Closed below its minimum; backers get their money back.",
  voided: "Undone after the close and before the drawdown; backers get their money back.",
  cancelled: "Called off before the close; backers get their money back.",
};

const GRADE: Record<Grade, string> = {
  A: "The best.",
  B: "Second.",
  C: "Third.",
  D: "Fourth.",
  E: "The worst.",
  NR: "Not yet rated: not approved, or too short a record.",
};

const REPAYMENT: Record<Repayment, string> = {
  not_drawn: "The money has not been drawn.",
  current: "Drawn, and not past maturity.",
  grace: "Up to 7 days past maturity.",
  late: "Up to 90 days past maturity.",
  default: "More than 90 days past maturity.",
  repaid: "Settled, all principal repaid.",
  written_off: "Settled with a loss of principal.",
};

const PRICING_MODE: Record<Listing["pricingMode"], string> = {
  fixed: "The originator sets it.",
  auction: "Backers bid rates; the lowest that fill the raise are taken.",
};

const OUTCOME: Record<NonNullable<Listing["outcome"]>, string> = {
  repaid: "Repaid in full.",
  repaid_with_reserve: "Repaid in full, in part from the reserve.",
  defaulted: "Principal stayed unpaid.",
  unknown: "The contract gave a number that its interface does not have.",
};

const KYB_STATUS: Record<KybStatus, string> = {
  not_started: "Nothing has been handed in.",
  submitted: "Handed in, not yet looked at.",
  in_review: "Being looked at.",
  approved: "Verified.",
  rejected: "Refused.",
  expired: "Was verified; the verification has run out.",
};

/** Descriptions of types and fields that have none in REST, or that are lists of pages there. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    EVENT_KINDS.map((kind) => [eventTypeName(kind), EVENT_DESCRIPTORS[kind].description]),
  ),
  Payment: "One repayment of a raise.",
  DeskListing: "One raise on the secondary desk.",
  ListingCounts: "How many visible listings are in each state.",
  AnomalyCount: "How many anomalies of one kind there are.",
  Health: "How the service is doing.",
  "RegistryState.originators": "Originators that it names.",
  "RegistryState.listings": "Listings that it names.",
  "AnomalyCounts.total": "Anomalies of every kind.",
  "AnomalyCount.key": "The kind of anomaly.",
  "AnomalyCount.value": "How many there are of it.",
  PricingMode: "How the coupon of a raise is found.",
  Repayment: "Where the repayment of a raise stands.",
  Outcome: "How a raise ended, as settled on the chain.",
  KybStatus: "Where the verification of a business stands.",
  HealthStatus: "How the service is doing, in one word.",
  RegistryStatus: "Whether the last update of the off-chain facts was taken.",
  AuditStatus: "What the last audit found.",
};

const HEALTH_STATUS: Record<Health["status"], string> = {
  ok: "At the head of the chain.",
  syncing: "Not yet at the head of the chain.",
  degraded:
    "The RPC or the database is silent, an update of the registry was refused, or the audit found a difference.",
};

const REGISTRY_STATUS: Record<Health["registry"]["status"], string> = {
  ok: "The last update is in use.",
  refused: "The last update was not valid; the copy before it is in use.",
};

const AUDIT_STATUS: Record<NonNullable<Health["audit"]>["status"], string> = {
  ok: "Every figure is as it should be.",
  red: "At least one figure differs.",
  failed: "It could not be done.",
};

const SORT: Record<Sort, string> = {
  newest: "By go-live, the latest first.",
  closing_soon: "Those that accept money first, by their closing time.",
  most_raised: "By the amount raised, the most first.",
  most_subscribers: "By the number of subscribers, the most first.",
  highest_coupon: "By the coupon, the highest first.",
};

/** What each word of an enum means. */
export const ENUM_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ListingStatus: STATUS,
  Grade: GRADE,
  Repayment: REPAYMENT,
  PricingMode: PRICING_MODE,
  Outcome: OUTCOME,
  KybStatus: KYB_STATUS,
  EventKind: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, EVENT_DESCRIPTORS[kind].description])),
  ListingSort: SORT,
  Finality: {
    pending: "A reorg can still take it away.",
    final: "No reorg can take it away any more.",
  },
  HealthStatus: HEALTH_STATUS,
  RegistryStatus: REGISTRY_STATUS,
  AuditStatus: AUDIT_STATUS,
};
