/** @module GraphQL's types of the REST answers by name, and what each word of an enum means. */
import { z } from "@hono/zod-openapi";
import { EVENT_DESCRIPTORS } from "../../src/fold/event-kinds.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { healthSchema } from "../health/schema.ts";
import { eventTypeName, ledgerEventSchema, positionFields } from "../ledger/schema.ts";
import { SORTS } from "../market/listings-order.ts";
import { PACES } from "../market/pace.ts";
import { SERIES_PERIODS } from "../market/periods.ts";
import { listingSchema, originatorSchema, scheduleSchema, statsSchema } from "../market/schema.ts";
import { COHORTS_BY, cohortsSchema, seriesSchema } from "../market/series-schema.ts";
import { tradingSchema } from "../market/trading-schema.ts";
import { type TypeNames, withoutNull } from "./zod-types.ts";

const { rating } = originatorSchema.shape;
const { audit, anomalies, completeness, contracts, finality, restarts, registry, root } = healthSchema.shape;
const { troubles, unfitEndpoints, instances } = healthSchema.shape;
const auditSummary = audit.unwrap().shape;

export const OBJECTS = {
  Listing: listingSchema,
  Originator: originatorSchema,
  Rating: rating,
  ByDaysLate: rating.shape.byDaysLate,
  Schedule: scheduleSchema,
  Payment: scheduleSchema.shape.payments.element,
  Trading: tradingSchema,
  Trade: tradingSchema.shape.lastTrade,
  DeskListing: tradingSchema.shape.listings.element,
  Stats: statsSchema,
  ListingCounts: statsSchema.shape.byStatus,
  OutstandingByRepayment: statsSchema.shape.outstandingByRepayment,
  OutstandingShare: statsSchema.shape.outstandingByRepayment.shape.current,
  SeriesPoint: seriesSchema.shape.points.element,
  Cohort: cohortsSchema.shape.cohorts.element,
  CohortMonth: cohortsSchema.shape.cohorts.element.shape.curve.element,
  Health: healthSchema,
  Trouble: troubles.element,
  Completeness: completeness,
  UnfitEndpoint: unfitEndpoints.element,
  Contracts: contracts,
  ChainFinality: finality,
  Restarts: restarts,
  Instances: instances,
  Instance: instances.unwrap().shape.standby.element,
  RegistryState: registry,
  AnomalyCounts: anomalies,
  AuditSummary: audit,
  FinalRoot: root,
};

export type Enum = { schema: z.ZodType; meanings: Readonly<Record<string, string>> };

/** An enum; the compiler holds `meanings` to the schema's words. */
const wordsOf = <Schema extends z.ZodType<string | null>>(
  schema: Schema,
  meanings: Readonly<Record<NonNullable<z.infer<Schema>>, string>>,
): Enum => ({ schema, meanings });

export const ENUMS: Readonly<Record<string, Enum>> = {
  ListingStatus: wordsOf(listingSchema.shape.status, {
    listed: "Open, without subscriptions so far; accepts money.",
    funding: "Open, with subscriptions; accepts money.",
    live: "Closed with its minimum met; the money is being repaid, or is to be.",
    matured: "Settled; finished.",
    refunding: "Closed below its minimum; backers get their money back.",
    voided: "Undone after the close and before the drawdown; backers get their money back.",
    cancelled: "Called off before the close; backers get their money back.",
  }),
  Grade: wordsOf(listingSchema.shape.originatorGrade, {
    A: "The best.",
    B: "Second.",
    C: "Third.",
    D: "Fourth.",
    E: "The worst.",
    NR: "Not yet rated: not approved, or too short a record.",
  }),
  Repayment: wordsOf(listingSchema.shape.repayment, {
    not_drawn: "The money has not been drawn.",
    current: "Drawn, and not past maturity.",
    grace: "Up to 7 days past maturity.",
    late: "Up to 90 days past maturity.",
    default: "More than 90 days past maturity.",
    repaid: "Settled, all principal repaid.",
    written_off: "Settled with a loss of principal.",
  }),
  PricingMode: wordsOf(listingSchema.shape.pricingMode, {
    fixed: "The originator sets it.",
    auction: "Backers bid rates; the lowest that fill the raise are taken.",
  }),
  TermsSource: wordsOf(listingSchema.shape.termsFrom, {
    chain: "The contract.",
    registry: "The operator's registry, as the contract gives none.",
  }),
  Outcome: wordsOf(listingSchema.shape.outcome, {
    repaid: "The principal was repaid in full.",
    repaid_with_reserve: "The principal was repaid in full, in part from the reserve.",
    defaulted: "Principal stayed unpaid.",
    unknown: "The contract gave a number that its interface does not have.",
  }),
  KybStatus: wordsOf(originatorSchema.shape.kybStatus, {
    not_started: "Nothing has been handed in.",
    submitted: "Handed in, not yet looked at.",
    in_review: "Being looked at.",
    approved: "Verified.",
    rejected: "Refused.",
    expired: "Was verified; the verification has run out.",
  }),
  EventKind: {
    schema: z.enum(EVENT_KINDS).openapi({ description: "What happened." }),
    meanings: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, EVENT_DESCRIPTORS[kind].description])),
  },
  Finality: wordsOf(positionFields.finality, {
    pending: "A reorg can still take it away.",
    final: "No reorg can take it away any more.",
  }),
  ListingSort: wordsOf(z.enum(SORTS).openapi({ description: "The order of listings; ties by public id." }), {
    newest: "By go-live, the latest first.",
    oldest: "By go-live, the earliest first.",
    closing_soon: "Those that accept money first, by their closing time.",
    closing_late: "Those that accept money first, the latest closing time first.",
    due_soon: "Those that owe principal first, by their due date.",
    due_late: "Those that owe principal first, the latest due date first.",
    most_raised: "By the amount raised, the most first.",
    least_raised: "By the amount raised, the least first.",
    largest_target: "By the target, the largest first.",
    smallest_target: "By the target, the smallest first.",
    most_funded: "By the share of the target that is raised, the largest first.",
    least_funded: "By the share of the target that is raised, the smallest first.",
    most_subscribers: "By the number of subscribers, the most first.",
    fewest_subscribers: "By the number of subscribers, the fewest first.",
    highest_coupon: "By the coupon, the highest first.",
    lowest_coupon: "By the coupon, the lowest first.",
    shortest_term: "By the term, the shortest first.",
    longest_term: "By the term, the longest first.",
    best_grade: "By the grade of the originator, A first and NR last.",
    worst_grade: "By the grade of the originator, E first and NR last.",
  }),
  Pace: wordsOf(z.enum(PACES).openapi({ description: "Whether an open raise would reach its minimum." }), {
    reaches_minimum: "It has its minimum, or will at the pace of `projectedAmount`.",
    misses_minimum: "At that pace it will not.",
  }),
  SeriesPeriod: wordsOf(
    z.enum(SERIES_PERIODS).openapi({ description: "Length of a series' periods, in UTC." }),
    {
      day: "A day.",
      week: "A week from Monday on, as in ISO 8601.",
      month: "A month.",
      quarter: "Three months, from January, April, July and October on.",
    },
  ),
  CohortsBy: wordsOf(
    z.enum(COHORTS_BY).openapi({ description: "What the loans of a cohort have in common." }),
    {
      month: "The month of the drawdown.",
      quarter: "The quarter of the drawdown.",
      year: "The year of the drawdown.",
      grade: "The grade of the business on the day of the drawdown.",
      originator: "The business.",
      country: "The country of the business.",
    },
  ),
  FinalitySource: wordsOf(finality.unwrap().shape.source, {
    finalized: "The `finalized` blocks of the RPC endpoints.",
    depth: "The depth below the head, as the endpoints name no such block or always the same one.",
  }),
  BlockNotices: wordsOf(healthSchema.shape.blockNotices, {
    database: "Its own database announces them.",
    primary: "The primary of the replica that it reads announces them.",
    none: "Nothing: it reads the tables ten times a second.",
  }),
  HealthStatus: wordsOf(healthSchema.shape.status, {
    ok: "At the head of the chain.",
    syncing: "Not yet at the head of the chain.",
    degraded: "Something is wrong: `troubles` says what.",
  }),
  TroubleCode: wordsOf(troubles.element.shape.code, {
    node_silent: "The RPC has been silent for 60 seconds.",
    database_silent: "The database has been silent for 10 seconds.",
    endpoints_disagree: "The RPC endpoints disagree about a block.",
    finality_stalled: "The endpoints' final block does not advance while the head does.",
    logs_incomplete: "An RPC endpoint has left logs out in the last ten minutes.",
    endpoint_unfit: "An RPC endpoint lacks what the indexer needs.",
    index_stalled:
      "The indexer has stalled for 60 seconds while the chain advanced, or for 180 seconds before it follows the chain.",
    registry_refused: "The last update of the registry was refused.",
    audit_red: "The last audit found a difference.",
  }),
  UnfitReason: wordsOf(unfitEndpoints.element.shape.reason, {
    pruned: "It has dropped blocks or logs.",
    unusable_logs: "Its logs have no place in their block, or are of a block that is gone.",
  }),
  LogsProven: wordsOf(completeness.unwrap().shape.mode, {
    events: "Blocks with events.",
    possible: "Also blocks that may have events by their headers.",
    none: "None.",
  }),
  RegistryStatus: wordsOf(registry.shape.status, {
    ok: "The last update is in use.",
    refused: "The last update was not valid; the copy before it is in use.",
  }),
  AuditStatus: wordsOf(auditSummary.status, {
    ok: "Every figure is as it should be.",
    red: "At least one figure differs.",
    failed: "It could not be done.",
  }),
};

export const EVENTS: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
  ledgerEventSchema.options.map((schema) => {
    const kind = schema.shape.kind.value;
    return [eventTypeName(kind), schema.openapi({ description: EVENT_DESCRIPTORS[kind].description })];
  }),
);

/** The types above by their schemas, and those of fields whose schema alone does not determine the type. */
export const TYPE_NAMES: TypeNames = new Map<z.ZodType, string>([
  ...Object.entries(OBJECTS).map(([name, schema]) => [withoutNull<z.ZodType>(schema), name] as const),
  ...Object.entries(ENUMS).map(([name, { schema }]) => [withoutNull(schema), name] as const),
  ...Object.values(EVENTS).map((schema) => [schema.shape.kind as z.ZodType, "EventKind"] as const),
  [rating.shape.cap.unwrap(), "Grade"],
  // GraphQL has no objects with free keys: they are lists of entries.
  [anomalies.shape.byKind, "[AnomalyCount!]"],
  [auditSummary.block.unwrap(), "BigInt"],
  [auditSummary.at.unwrap(), "DateTime"],
]);
