/**
 * Proofs as they are answered.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { ledgerEventSchema } from "../ledger/schema.ts";
import { address, amount, id, time } from "../market/fields.ts";
import { TOTAL_NAMES, type TotalName } from "../proof/totals.ts";

const bytes = (description: string, example = "0xf90261") =>
  z
    .string()
    .regex(/^0x([0-9a-f]{2})*$/)
    .openapi({ description: `${description}. Bytes, lowercase hex.`, example });
const hash = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .openapi({ description: `${description}. 32 bytes, lowercase hex.`, example: `0x${"7a".repeat(32)}` });
const place = (description: string) => z.int().min(0).openapi({ description, example: 0 });
const eventId = (description: string) =>
  z
    .string()
    .regex(/^\d+-\d+$/)
    .openapi({ description: `${description}: \`<blockNumber>-<logIndex>\`.`, example: "120-3" });
const field = (description: string) => z.string().openapi({ description, example: "totalRaised" });

export const eventProofSchema = z
  .object({
    event: ledgerEventSchema,
    block: z
      .object({
        number: id("Number of the event's block"),
        hash: hash("Its hash, the one thing to look up elsewhere"),
        timestamp: time("Its time"),
      })
      .openapi({ description: "The block of the event." }),
    header: bytes("The block's header in RLP: its keccak256 is the block's hash"),
    transactionIndex: place("Place of the transaction in its block; its RLP is the key in the trie."),
    path: z
      .array(bytes("A node of the trie in RLP"))
      .openapi({ description: "From the root, which is the header's `receiptsRoot`, to the receipt." }),
    receipt: bytes("The transaction's receipt as the trie holds it, the byte of its type included"),
    logInReceipt: place("Place of the log among those of its receipt."),
    log: z
      .object({
        address: address("The contract that emitted it"),
        topics: z
          .array(hash("A topic"))
          .openapi({ description: "The event's signature, and its indexed arguments." }),
        data: bytes("Its other arguments", "0x"),
      })
      .openapi({ description: "The log as the chain has it; decoded, it is the event." }),
  })
  .openapi("EventProof", {
    description:
      "That the contract emitted this event in this block. Like the chain, it names the addresses in the event.",
  });

const partSchema = z.object({
  source: eventId("The event"),
  field: field("Its field that has the amount."),
  sign: z
    .enum(["+", "-"])
    .openapi({ description: "Whether the amount is added or taken away.", example: "+" }),
  amount: amount("What the event adds or takes away"),
});

const totalSchema = z
  .object({
    value: amount("The figure"),
    source: eventId("The last event that carries the total; null where none does").nullable(),
    field: field(
      "Field of that event that has the total; null where the event ends the figure, which is then 0: a settled raise owes nothing.",
    ).nullable(),
    proof: z
      .union([eventProofSchema, z.null()])
      .openapi({ description: "That event's proof; null without a source." }),
    sumOf: z.array(partSchema).nullable().openapi({
      description:
        "What other events add to the total of the source, or to nothing without one, oldest first: the sum is the value. Null where the value follows from no such sum: events that contradict themselves, or more than 200 of them.",
    }),
  })
  .openapi("ProvenTotal", { description: "A figure, and the events that it follows from." });

export const listingProofSchema = z
  .object({
    publicId: z.string().openapi({ description: "Public id of the listing.", example: "lst_bakery" }),
    escrowAddress: address("Its escrow"),
    onchainId: id("Its id within the escrow"),
    asOf: z
      .object({ blockNumber: id("Number of the block"), hash: hash("Its hash") })
      .openapi({ description: "The last final block: events of later blocks are not in the figures." }),
    totals: z
      .object(
        Object.fromEntries(TOTAL_NAMES.map((name) => [name, totalSchema])) as Record<
          TotalName,
          typeof totalSchema
        >,
      )
      .openapi({ description: "Each running total of the listing, by name." }),
  })
  .openapi("ListingProof", { description: "Where the totals of a listing come from." });
