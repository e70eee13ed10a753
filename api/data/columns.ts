/**
 * The columns of the open data and what each one means: the legend of the page and of the manifest, and the schema of the files.
 * @module
 */
import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { LATE_RAISES, listingSchema, originatorSchema } from "../market/schema.ts";
import { COHORT_COLUMNS as COHORT_FIELDS, COHORTS_BY, cohortSchema } from "../market/series-schema.ts";
import { KYB_STATUSES } from "../registry/schema.ts";

/** The format of the files: columns, row order and bytes. With a new version all files are written again. */
export const DATA_VERSION = 2;

/** How a column is stored (`parquet-worker.mjs`). */
export type ColumnType = "block" | "integer" | "index" | "time" | "amount" | "hash" | "flag" | "text";

/** The unit of a value. */
type ColumnUnit = "base units" | "basis points" | "days" | "seconds" | "UTC" | null;

export type Column = {
  name: string;
  type: ColumnType;
  unit: ColumnUnit;
  isNullable: boolean;
  description: string;
  /** the version of the files that first had it */
  since: number;
};

/** The name of the type as DuckDB and most other readers have it. */
export const SQL_TYPES: Record<ColumnType, string> = {
  block: "BIGINT",
  integer: "BIGINT",
  index: "INTEGER",
  time: "TIMESTAMP",
  amount: "DECIMAL(38,0)",
  hash: "BLOB",
  flag: "BOOLEAN",
  text: "VARCHAR",
};

const column =
  (type: ColumnType, unit: ColumnUnit = null) =>
  (name: string, description: string, { isNullable = false } = {}): Column => ({
    ...{ name, type, unit, isNullable, description },
    since: 1,
  });
const block = column("block");
const index = column("index");
const time = column("time", "UTC");
const hash = column("hash");
const text = column("text");
const amount = (name: string, description: string): Column =>
  column("amount", "base units")(name, description, { isNullable: true });
const bps = column("integer", "basis points");

const list = (words: readonly string[]) => words.join(", ");

/** One row for each event of the followed contracts, in the order of the chain. */
export const LEDGER_COLUMNS: readonly Column[] = [
  block("block_number", "Block of the event."),
  time("block_time", "Time of the block."),
  index("log_index", "Place of the log in its block."),
  index("part", "Place among the events of one log: 0, except for a log that means several."),
  hash("tx_hash", "Transaction: 32 bytes."),
  text("escrow_address", "Contract of the raise."),
  text("onchain_id", "Id of the raise within the contract: a decimal number of any size."),
  text("kind", `What happened: ${list(EVENT_KINDS)}.`),
  amount("committed", "Change of the amount committed to the raise; null for none, like those that follow."),
  amount("refunded", "Change of the amount refunded to backers."),
  amount("repaid_principal", "Change of the principal repaid."),
  amount("repaid_interest", "Change of the interest repaid."),
  amount("outstanding", "Change of the principal still owed: 0 before the drawdown and once settled."),
  amount("reserve", "Posted to the reserve, above 0; applied or released, below 0."),
  amount("fee", "Fee deducted from the principal at the drawdown."),
  amount("claimed", "Paid out to a holder of the token."),
  amount("written_off", "Principal left unpaid when the raise was settled, as the contract says."),
  amount("tokens", "Tokens offered or bought on the secondary desk."),
  amount("cost", "Dollars paid for them."),
  text("offer_id", "Offer on the desk, decimal; null for other events.", { isNullable: true }),
  bps("price_bps", "Asking price of an offer, of par.", { isNullable: true }),
  bps("rate_bps", "Rate bid in an auction, or the coupon that the close fixed, per year.", {
    isNullable: true,
  }),
  text("reason", "Why the raise closed, money was refunded or the reserve changed, or how the raise ended.", {
    isNullable: true,
  }),
  text(
    "too_large",
    "Amounts and numbers of the row that do not fit into their columns, as JSON: name and decimal text. Those columns are null.",
    { isNullable: true },
  ),
];

/** The end of a description that says how JSON has the value. */
const FORMS =
  / (Base units \(18 decimals\), decimal string|Basis points, 10000 = 100%|ISO 8601, UTC|Decimal string|Lowercase hex)\.$/;

/** A field of an answer as a column: its name in SQL, and its description without the form that it has in JSON. */
type RowSchema = typeof listingSchema | typeof originatorSchema | typeof cohortSchema;

function fieldColumn(schema: RowSchema, field: string): Column {
  const one = (schema.shape as Record<string, Parameters<typeof getOpenApiMetadata>[0]>)[field];
  if (one === undefined) throw new Error(`there is no field ${field}`);
  const { description = "" } = getOpenApiMetadata(one);
  const form = FORMS.exec(description)?.[1] ?? "";
  const type = typeOf(one, field, form);
  const words = WORDS[field] ?? [];
  return {
    ...{ name: snakeCase(field), type, unit: unitOf(type, field, form), since: 1 },
    isNullable: type === "amount" || one.safeParse(null).success,
    description: [
      description
        .replace(FORMS, "")
        .replace(/(?<!\.)$/, ".")
        .replaceAll(/`([a-z]\w*)`/g, (_: string, name: string) => `\`${snakeCase(name)}\``),
      ...(words.length === 0 ? [] : [`${list(words)}.`]),
    ].join(" "),
  };
}

/** The words of a field whose description does not have them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  kybStatus: KYB_STATUSES,
  pricingMode: listingSchema.shape.pricingMode.options,
  outcome: listingSchema.shape.outcome.unwrap().options,
};

function typeOf(
  schema: { safeParse(value: unknown): { success: boolean } },
  field: string,
  form: string,
): ColumnType {
  if (form.startsWith("Base units")) return "amount";
  if (form.startsWith("ISO 8601")) return "time";
  if (field.endsWith("Block")) return "block";
  if (schema.safeParse(true).success) return "flag";
  return schema.safeParse(7).success ? "integer" : "text";
}

function unitOf(type: ColumnType, field: string, form: string): ColumnUnit {
  if (type === "amount") return "base units";
  if (type === "time") return "UTC";
  if (form.startsWith("Basis points")) return "basis points";
  return field.endsWith("Days") ? "days" : null;
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields of the API that are columns; no text of third parties, and nothing that depends on a service's addresses. */
export const LISTING_FIELDS = [
  ...["publicId", "refnum", "escrowAddress", "onchainId", "tokenAddress", "originator", "originatorGrade"],
  ...[
    "status",
    "statusSince",
    "repayment",
    "outcome",
    "pricingMode",
    "targetAmount",
    "minRaise",
    "raisedAmount",
  ],
  ...["couponRateBps", "couponIsMaximum", "tenorDays", "insuranceBps", "reserveBalance", "subscriberCount"],
  ...[
    "withdrawnAmount",
    "returnedAmount",
    "refundedAmount",
    "refundableAmount",
    "drawnAmount",
    "repaidAmount",
  ],
  ...["outstandingPrincipal", "writtenOffAmount", "goLiveAt", "closeAt", "drawnDownAt", "maturityAt"],
  ...[
    "originatorVerified",
    "metadataVerified",
    "termsUpdates",
    "termsUpdatedAt",
    "updatedAt",
    "updatedBlock",
  ],
] as const satisfies readonly (keyof typeof listingSchema.shape)[];

/** One row for each visible raise, by public id. */
export const LISTING_COLUMNS: readonly Column[] = [
  ...LISTING_FIELDS.map((field) => fieldColumn(listingSchema, field)),
  time("opened_at", "When backers could first subscribe."),
  column("integer", "seconds")(
    "seconds_to_fund",
    "From the opening to the close of a raise that reached its minimum; null for any other.",
    { isNullable: true },
  ),
  text("too_large", "Amounts of the row that do not fit into their columns, as in the ledger.", {
    isNullable: true,
  }),
];

export const ORIGINATOR_FIELDS = ["publicId", "jurisdiction", "kybStatus", "ratingGrade"] as const;

/** One row for each business with a visible raise, by public id. */
export const ORIGINATOR_COLUMNS: readonly Column[] = [
  ...ORIGINATOR_FIELDS.map((field) => fieldColumn(originatorSchema, field)),
  column("integer")("resolved_raises", "Resolved raises of at least 1,000 dollars, which the grade counts."),
  amount("volume", "Principal of the resolved raises."),
  bps("loss_bps", "Unpaid principal per volume; null without a grade.", { isNullable: true }),
  bps("late_bps", `Principal of ${LATE_RAISES}, per volume; null without a grade.`, { isNullable: true }),
  bps("adjusted_bps", "Risk, with a short record moved towards the mean; null without a grade.", {
    isNullable: true,
  }),
  text("cap", "The best possible grade after a recent failure; null for no cap.", { isNullable: true }),
  text("too_large", "Amounts of the row that do not fit into their columns, as in the ledger.", {
    isNullable: true,
  }),
];

/** Rows of every kind of cohort, as of the last block. */
export const COHORT_COLUMNS: readonly Column[] = [
  text("by", `What the loans of the cohort have in common: ${list(COHORTS_BY)}.`),
  ...COHORT_FIELDS.map((field) => fieldColumn(cohortSchema, field)),
  text("too_large", "Amounts of the row that do not fit into their columns, as in the ledger.", {
    isNullable: true,
  }),
];

/** The tables, each with a folder of its own. */
export const TABLES = {
  ledger: LEDGER_COLUMNS,
  listings: LISTING_COLUMNS,
  originators: ORIGINATOR_COLUMNS,
  cohorts: COHORT_COLUMNS,
} as const;
export type TableName = keyof typeof TABLES;
