/** @module The proven completeness of the events, as it is answered. */
import { z } from "@hono/zod-openapi";
import { type Completeness, LOGS_PROVEN } from "../../config/completeness.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { oneOf } from "../market/fields.ts";

const number = (description: string, example: string) =>
  z
    .string()
    .regex(/^\d+$/)
    .openapi({ description: `${description}; decimal string.`, example });

export const completenessSchema = z
  .object({
    mode: oneOf(
      LOGS_PROVEN,
      "Which blocks are proven to lack no log, by the root of their receipts: `events`, those with events; `possible`, also those whose headers say that they may have some; `none`.",
      "events",
    ),
    provenBlock: number("Block up to which all of them were looked at", "48211004").nullable().openapi({
      description: "Block up to which all of them were looked at; decimal string, null before the first.",
    }),
    provenBlocks: number("Blocks with events, up to there, that are proven", "1204"),
    unprovenBlocks: number(
      "Blocks with events, up to there, that could not be proven: no RPC endpoint has what a proof needs",
      "0",
    ),
    endpoints: z.array(z.string()).openapi({
      description: "Hosts of RPC endpoints that left logs out in the last ten minutes.",
      example: [],
    }),
  })
  .openapi("Completeness", { description: "What is proven of the events to be complete." });

type Answer = z.infer<typeof completenessSchema>;

/** Null before the indexer has said so. */
export function completenessOf(known: Completeness | null): Answer | null {
  if (known === null) return null;
  const { mode, upTo, proven, unproven, omitting } = known;
  const provenBlock = upTo === null ? null : blockOf(upTo).number.toString();
  return { mode, provenBlock, provenBlocks: proven, unprovenBlocks: unproven, endpoints: [...omitting] };
}
