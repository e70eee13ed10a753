/** @module The bodies of `/v1/health` and `/v1/ready`. Interface document, GET /health. */
import { z } from "@hono/zod-openapi";
import { count, hash, oneOf, text } from "../market/fields.ts";
import { auditSchema } from "./audit.ts";
import { completenessSchema } from "./completeness.ts";
import { instancesSchema } from "./instances.ts";
import { REMEDIES, TROUBLES } from "./troubles.ts";
import { unfitEndpointSchema } from "./unfit.ts";

const block = (description: string) =>
  z
    .string()
    .regex(/^\d+$/)
    .nullable()
    .openapi({
      description: `${description}; decimal string, null when not known yet.`,
      example: "48211034",
    });

export const healthSchema = z
  .object({
    status: oneOf(
      ["ok", "syncing", "degraded"],
      "`syncing` until the indexer is at the head of the chain; `degraded` when the RPC has been silent for 60 seconds or the database for 10, the indexer has stalled for 60 seconds while the chain advanced (180 before it follows the chain), the last update of the registry was refused, the RPC endpoints disagree about a block, their final block does not advance while the head does, one of them left logs out or lacks what the indexer needs, or the last audit found a difference.",
      "ok",
    ),
    troubles: z
      .array(
        z
          .object({
            code: oneOf(TROUBLES, "Its stable code.", "node_silent"),
            since: z.string().nullable().openapi({
              description:
                "Chain time, ISO 8601, of the newest known block when this process noticed it; null when none was known.",
              format: "date-time",
              example: "2026-03-01T12:00:00Z",
            }),
            remedy: text("What the operator does about it.", REMEDIES.node_silent),
          })
          .openapi("Trouble", { description: "A reason for the status `degraded`." }),
      )
      .openapi({ description: "The reasons for `degraded`; empty otherwise.", example: [] }),
    chainId: z.int().openapi({ description: "The indexed chain.", example: 97 }),
    contracts: z
      .object({
        name: text("Their name, which the operator gives: `Raisebook` for the project's own.", "Raisebook"),
        decimals: z.int().min(0).max(18).openapi({
          description: "Decimals of their dollar on the chain. Amounts in answers have 18, whatever this is.",
          example: 18,
        }),
        events: count("Events of theirs that are followed.", 15),
      })
      .openapi({ description: "The contracts that are followed." }),
    indexedBlock: block("Last indexed block"),
    indexedAt: z
      .string()
      .nullable()
      .openapi({ description: "Its time, ISO 8601.", format: "date-time", example: "2026-03-01T12:00:00Z" }),
    finalizedBlock: block(
      "Last block that no reorg takes back and no RPC endpoint disputes: what is up to there is `final`",
    ),
    finality: z
      .object({
        source: oneOf(
          ["finalized", "depth"],
          "`finalized`: the lowest `finalized` block of the RPC endpoints; `depth`: blocks so far below the head as the operator set, as the endpoints name no such block or always the same one.",
          "finalized",
        ),
        lagBlocks: z.int().min(0).openapi({
          description: "Blocks from `finalizedBlock` to `indexedBlock`.",
          example: 3,
        }),
      })
      .nullable()
      .openapi({ description: "What decides which blocks are final; null when not known yet." }),
    disputedBlock: block(
      "First block that the service's RPC endpoints disagree on: nothing from it on is `final` until they agree; null while they do",
    ),
    completeness: completenessSchema.nullable().openapi({
      description: "What is proven of the events to be complete; null before the indexer has said so.",
    }),
    unfitEndpoints: z.array(unfitEndpointSchema).openapi({
      description: "RPC endpoints that lack what the indexer needs, each with the reason; empty otherwise.",
      example: [],
    }),
    headBlock: block("Newest known block, never below the indexed one"),
    lagSeconds: z.int().min(0).nullable().openapi({
      description:
        "Time of the head minus time of the indexed block, in seconds of chain time. While the RPC is silent the head is taken to have advanced since its last answer.",
      example: 0,
    }),
    blockNotices: oneOf(
      ["database", "primary", "none"],
      "What announces indexed blocks to this process: its `database`; the `primary` of the replica that it reads (NOTICES_DATABASE_URL); `none`, so that it reads the tables ten times a second.",
      "database",
    ),
    restarts: z
      .object({
        count: count("Number since the daemon started.", 0),
        reason: text("Reason for the last one; null when there was none.", null).nullable(),
      })
      .openapi({ description: "Restarts of the indexer after unexpected exits." }),
    instances: instancesSchema.nullable().openapi({
      description:
        "Which start of the service indexes, and which ones stand by; null with the embedded database, which has one.",
    }),
    registry: z
      .object({
        status: oneOf(
          ["ok", "refused"],
          "`refused`: the last update was invalid; the copy before it is in use.",
        ),
        version: text("Hash of the document in use.", "9f86d081884c7d65"),
        hash: hash(
          "keccak256 over its canonical JSON (RFC 8785) without the signature: what the operator signs",
          `0x${"9f86d081".repeat(8)}`,
        ),
        revision: z.int().min(1).nullable().openapi({
          description: "Its number; a signed document has a higher one than those before it.",
          example: 8,
        }),
        signer: z
          .string()
          .regex(/^0x[0-9a-f]{40}$/)
          .nullable()
          .openapi({
            description:
              "Address of the operator's key: its signature of the document was checked. Null when the operator names no key.",
            example: `0x${"a1".repeat(20)}`,
          }),
        sinceBlock: block("First block that this process answered for with it"),
        since: z.string().nullable().openapi({
          description: "Time of that block, ISO 8601.",
          format: "date-time",
          example: "2026-03-01T12:00:00Z",
        }),
        originators: z.int().min(0).openapi({ description: "Originators that it names." }),
        listings: z.int().min(0).openapi({ description: "Listings that it names." }),
        problem: text("Why the last update was refused.", null).nullable(),
        contradictions: z.int().min(1).optional().openapi({
          description:
            "Listings of which it says something else than the chain, which counts: terms, reference number or token. Only when there are any.",
        }),
        images: z.int().min(0).openapi({ description: "Pictures in use: covers and logos." }),
        imageProblem: text(
          "Where the document names a picture that cannot be used. A pattern stands in; the service is not degraded.",
          null,
        ).nullable(),
      })
      .openapi({ description: "The off-chain facts in use." }),
    unpublished: count("Listings on the chain that are not in the registry.", 0),
    unprojectable: count("Listings that cannot be shown and are left out.", 0),
    anomalies: z
      .object({
        total: z.int().min(0).openapi({ description: "Anomalies of every kind." }),
        byKind: z
          .record(z.string(), z.int().min(1))
          .openapi({ description: "Only the kinds that occurred." }),
      })
      .openapi({ description: "Events that did not add up." }),
    audit: auditSchema
      .pick({ block: true, at: true })
      .extend({
        // The summary has no `problem`.
        status: auditSchema.shape.status.openapi({
          description:
            "`red`: at least one finding. `failed`: the audit was not possible; `/audit` says why.",
        }),
        listings: count("Audited listings.", 40),
        findings: count("Wrong figures.", 0),
      })
      .nullable()
      .openapi({ description: "Summary of the last audit; null before the first." }),
    root: z
      .object({
        blockNumber: z
          .string()
          .regex(/^\d+$/)
          .openapi({ description: "The last final block with an event.", example: "48211034" }),
        hash: hash("The root of the book as of that block"),
      })
      .nullable()
      .openapi({ description: "As at `/v1/root`; null while it is not known." }),
    version: text("Version of the service.", "0.1.0"),
  })
  .openapi("Health", { description: "How the service is doing." });

export const readySchema = z.object({ status: z.literal("ready") }).openapi("Ready");

export type Health = z.infer<typeof healthSchema>;
