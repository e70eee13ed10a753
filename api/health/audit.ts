/** @module Audit reports and the state of the auditor: the body of `/v1/audit`. */
import { z } from "@hono/zod-openapi";
import { address, amount, count, listOf, oneOf, text } from "../market/fields.ts";
import { completenessSchema } from "./completeness.ts";

const id = text("The listing within its escrow.", "1");
const refnum = text("Its reference number; null until its creation is indexed.", "RB00042").nullable();

const findingSchema = z
  .object({
    check: oneOf(
      ["views", "supply", "holders", "balance", "sums", "totals", "listings", "ledger", "refold", "logs"],
      "The comparison: with the escrow's views, the token's supply, its holders, or the escrow's dollars; of sums within the tables; of our sums with running totals in events; of the set of listings; of ledger rows with their event ids and number; with the ledger folded again; with the chain's logs.",
      "views",
    ),
    escrowAddress: address("The escrow; null for all tables").nullable(),
    onchainId: id.nullable().openapi({ description: "Null for the whole escrow." }),
    refnum,
    field: text("Name of the figure.", "raisedAmount"),
    expected: text("The value on the chain, or in the folded ledger.", "100"),
    found: text("The value in the tables.", "99"),
    block: text("The block at which both were read.", "48211034"),
  })
  .openapi("AuditFinding", { description: "A wrong figure." });

const auditedListingSchema = z
  .object({
    escrowAddress: address("The escrow"),
    onchainId: id,
    refnum,
    raisedAmount: amount("In the tables"),
    refundedAmount: amount("In the tables"),
    reserveBalance: amount("In the tables"),
    outstandingPrincipal: amount("In the tables"),
    supply: text(
      "The token's supply on the chain; null when the token does not report it.",
      "100",
    ).nullable(),
    findings: count("Number of findings on this listing"),
  })
  .openapi("AuditedListing", { description: "An audited listing. Amounts in base units." });

export const auditSchema = z
  .object({
    status: oneOf(
      ["ok", "red", "failed"],
      "`red`: at least one finding. `failed`: the audit was not possible; `problem` says why.",
      "ok",
    ),
    block: text("The audited block, decimal string.", "48211034").nullable(),
    at: text("Its time, ISO 8601.", "2026-03-01T12:00:00Z").nullable(),
    events: count("Ledger rows folded again"),
    checks: count("Figures compared"),
    listings: listOf(auditedListingSchema, "The audited listings."),
    notAuditable: listOf(
      z.string(),
      "Figures that the contracts do not report, such as a view that an escrow lacks. Not findings.",
      [],
    ),
    surpluses: listOf(
      z
        .object({
          escrowAddress: address("The escrow"),
          amount: amount("What it holds beyond what it has to"),
        })
        .openapi("AuditSurplus", {
          description: "Dollars that nobody claims, such as those sent to an escrow directly.",
        }),
      "Escrows that hold more dollars than they have to. Not findings.",
      [],
    ),
    completeness: completenessSchema.nullable().openapi({
      description: "What was proven of the audited events to be complete; null where it is not known.",
    }),
    findings: listOf(findingSchema, "All differences."),
    problem: text("Why it failed.", null).nullable(),
  })
  .openapi("Audit", { description: "A comparison of every figure with the chain and with the ledger." });

export type Finding = z.infer<typeof findingSchema>;
export type AuditedListing = z.infer<typeof auditedListingSchema>;
export type Audit = z.infer<typeof auditSchema>;

export const auditorSchema = z
  .object({
    running: z
      .object({
        done: count("Calls answered by the chain.", 120),
        total: count("All calls.", 240),
      })
      .nullable()
      .openapi({ description: "Progress of the running audit; null when none is running." }),
    last: auditSchema.nullable().openapi({ description: "The last audit; null before the first." }),
  })
  .openapi("Auditor", { description: "The last audit of this service, and the running one." });

export type AuditorState = z.infer<typeof auditorSchema>;

export const NO_AUDIT: AuditorState = { running: null, last: null };

export type Auditor = {
  /** Starts an audit unless one is running or has just ended. */
  start(): void;
  state(): AuditorState;
};
