/** @module Proofs of events and of a listing's totals, as they are answered. */
import { z } from "@hono/zod-openapi";
import { completenessSchema } from "../health/completeness.ts";
import { ledgerEventSchema } from "../ledger/schema.ts";
import { address, amount, hash, id, listOf, oneOf, text, time } from "../market/fields.ts";
import { MOST_EVENTS, TOTAL_NAMES, type TotalName, UNEXPLAINED } from "../proof/totals.ts";

const bytes = (description: string, example = "0xf90261") =>
  z
    .string()
    .regex(/^0x([0-9a-f]{2})*$/)
    .openapi({ description: `${description}. Bytes, lowercase hex.`, example });
const place = (description: string) => z.int().min(0).openapi({ description, example: 0 });
const decimals = (description: string) => z.int().min(0).max(18).openapi({ description, example: 6 });
/** How an event is named in its block. */
export const EVENT_ID_FORM = "`<blockNumber>-<logIndex>`, with `.<part>` for a later event of a log.";
const eventId = (description: string) =>
  z
    .string()
    .regex(/^\d+-\d+(\.\d+)?$/)
    .openapi({
      description: `${description}: ${EVENT_ID_FORM}`,
      example: "120-3",
    });
const field = (description: string) => z.string().openapi({ description, example: "totalRaised" });

const inputSchema = z
  .object({
    name: text("Its name; may be empty.", "amount"),
    type: text("Its type.", "uint256"),
    indexed: z.boolean().optional().openapi({ description: "Whether it is a topic.", example: false }),
    components: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .openapi({ description: "The members of a tuple, in the same form.", example: [] }),
  })
  .openapi("AbiInput", { description: "An argument of a contract's event." });

const mappingSchema = z
  .object({
    decimals: decimals("Decimals of the amounts in the log."),
    onchainId: text(
      "The argument that is the listing's id within its escrow; null where none is, as in an escrow with one raise.",
      "raiseId",
    ).nullable(),
    fields: z.record(z.string(), z.array(z.string())).openapi({
      description:
        "By field of `event`, the arguments of the log whose sum it is, those with a minus sign taken away; a member of a tuple is named by its path (`terms.goal`). Fields that the module makes in another way are left out.",
      example: { amount: ["amount"], backer: ["investor"] },
    }),
  })
  .openapi("ProofMapping", {
    description: "Where the fields of an event come from, as the operator's contracts module says.",
  });

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
    path: listOf(
      bytes("A node of the trie in RLP"),
      "From the root, which is the header's `receiptsRoot`, to the receipt.",
    ),
    receipt: bytes("The transaction's receipt as the trie holds it, the byte of its type included"),
    logInReceipt: place("Place of the log among those of its receipt."),
    log: z
      .object({
        address: address("The contract that emitted it"),
        topics: listOf(hash("A topic"), "The event's signature, and its indexed arguments."),
        data: bytes("Its other arguments", "0x"),
      })
      .openapi({ description: "The log as the chain has it; decoded, it is the event." }),
    abi: z
      .object({
        type: z.literal("event").openapi({ description: "As in every ABI.", example: "event" }),
        name: text("Name of the contract's event.", "Deposited"),
        inputs: listOf(inputSchema, "Its arguments, in order."),
      })
      .openapi({
        description:
          "The event of the contract that decodes the log: its signature is the log's first topic.",
      }),
    mapping: mappingSchema.nullable().openapi({
      description:
        "How a contracts module of the operator's makes the event of the log; null for the project's own contracts, whose interface says so.",
    }),
  })
  .openapi("EventProof", {
    description:
      "That the contract emitted this event in this block. Like the chain, it names the addresses in the event.",
  });

const partSchema = z.object({
  source: eventId("The event"),
  field: field("Its field that has the amount."),
  sign: oneOf(["+", "-"], "Whether the amount is added or taken away.", "+"),
  amount: amount("What the event adds or takes away"),
});

const viewSchema = z
  .object({
    signature: text("The function.", "raised(uint256)"),
    data: bytes("Its call for this listing", "0x1a2b3c4d"),
    decimals: decimals("Decimals of its answer."),
  })
  .openapi("ProofView", { description: "A call of the contract." });

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
        "What other events add to the total of the source, or to nothing without one, oldest first: the sum is the value. Null where the value follows from no such sum; `unexplained` says why.",
    }),
    unexplained: oneOf(
      UNEXPLAINED,
      `Why \`sumOf\` is null: more than ${MOST_EVENTS.toLocaleString("en-US")} events would have to be named, the events do not come to the value, or it follows from terms in the registry and from derived facts too. Null otherwise.`,
      "too_many_events",
    ).nullable(),
    view: viewSchema.nullable().openapi({
      description:
        "The view of the contract that reports the figure, by the operator's contracts module. Null where there is none, and for the project's own contracts, whose interface has it.",
    }),
  })
  .openapi("ProvenTotal", { description: "A figure, and the events that it follows from." });

export const listingProofSchema = z
  .object({
    publicId: text("Public id of the listing.", "lst_bakery"),
    escrowAddress: address("Its escrow"),
    onchainId: id("Its id within the escrow"),
    asOf: z
      .object({ blockNumber: id("Number of the block"), hash: hash("Its hash") })
      .openapi({ description: "The last final block: events of later blocks are not in the figures." }),
    completeness: completenessSchema.nullable().openapi({
      description: "What is proven of the events of all listings to be complete; null where it is not known.",
    }),
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
