/**
 * Audit reports and the state of the auditor: the body of `/v1/audit`.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { address, amount, count } from "../market/fields.ts";

const text = (description: string, example: string) => z.string().openapi({ description, example });
const id = z.string().openapi({ description: "The listing within its escrow.", example: "1" });
const refnum = z.string().nullable().openapi({
  description: "Its reference number; null while its creation is not known.",
  example: "RB00042",
});

const findingSchema = z
  .object({
    check: z
      .enum([
        "views",
        "supply",
        "holders",
        "balance",
        "sums",
        "totals",
        "listings",
        "ledger",
        "refold",
        "logs",
      ])
      .openapi({
        description:
          "Which comparison: with the escrow's views, the token's supply, its holders, the escrow's dollars; of sums within the tables; of our sums with the running totals in events; which listings there are; of the ledger's rows with their event ids and their number; with the ledger folded again; with the chain's logs.",
        example: "views",
      }),
    escrowAddress: address("The escrow; null where the whole book is meant").nullable(),
    onchainId: id.nullable().openapi({ description: "Null where the whole escrow is meant." }),
    refnum,
    field: text("Which figure.", "raisedAmount"),
    expected: text("What the chain, or the fold of the ledger, says.", "100"),
    found: text("What the tables say.", "99"),
    block: text("The block at which both were read.", "48211034"),
  })
  .openapi("AuditFinding", { description: "One figure that is not what it should be." });

const auditedListingSchema = z
  .object({
    escrowAddress: address("The escrow"),
    onchainId: id,
    refnum,
    raisedAmount: amount("In our tables"),
    refundedAmount: amount("In our tables"),
    reserveBalance: amount("In our tables"),
    outstandingPrincipal: amount("In our tables"),
    supply: z
      .string()
      .nullable()
      .openapi({ description: "Of the token on the chain; null when it does not say.", example: "100" }),
    findings: count("How many figures of this listing are not as they should be"),
  })
  .openapi("AuditedListing", { description: "One listing that was audited. Base units." });

export const auditSchema = z
  .object({
    status: z.enum(["ok", "red", "failed"]).openapi({
      description: "`red`: at least one finding. `failed`: it could not be done; `problem` says why.",
      example: "ok",
    }),
    block: text("The block that was audited, decimal string.", "48211034").nullable(),
    at: text("Its time, ISO 8601.", "2026-03-01T12:00:00Z").nullable(),
    events: count("Ledger rows that were folded again"),
    checks: count("Figures that were compared"),
    listings: z.array(auditedListingSchema).openapi({ description: "What was audited." }),
    notAuditable: z.array(z.string()).openapi({
      description: "What could not be asked, such as a view that an escrow does not have. No finding.",
      example: [],
    }),
    findings: z.array(findingSchema).openapi({ description: "What is not as it should be." }),
    problem: z.string().nullable().openapi({ description: "Why it failed.", example: null }),
  })
  .openapi("Audit", { description: "A comparison of every figure with the chain and with the ledger." });

export type Finding = z.infer<typeof findingSchema>;
export type AuditedListing = z.infer<typeof auditedListingSchema>;
export type Audit = z.infer<typeof auditSchema>;

export const auditorSchema = z
  .object({
    running: z
      .object({
        done: z.int().min(0).openapi({ description: "Calls that the chain has answered.", example: 120 }),
        total: z.int().min(0).openapi({ description: "All of them.", example: 240 }),
      })
      .nullable()
      .openapi({ description: "How far the running audit is; null when none is running." }),
    last: auditSchema.nullable().openapi({ description: "The last audit; null before the first." }),
  })
  .openapi("Auditor", { description: "The last audit of this service, and the one that is running." });

export type AuditorState = z.infer<typeof auditorSchema>;

/** Runs audits, one at a time. */
export type Auditor = {
  /** Starts an audit unless one is running or has just ended. */
  start(): void;
  state(): AuditorState;
};
