/** @module The endpoints that are unfit for the indexer, as they are answered, and as they are remembered. */
import { z } from "@hono/zod-openapi";
import { UNFIT_REASONS, type UnfitEndpoint } from "../../config/unfit-endpoints.ts";
import { oneOf } from "../market/fields.ts";

/** Milliseconds after which an endpoint that the indexer has not named since counts as fit again. */
const LASTS = 600_000;

export const unfitEndpointSchema = z
  .object({
    endpoint: z.string().openapi({ description: "Its host.", example: "rpc.example" }),
    reason: oneOf(
      UNFIT_REASONS,
      "`pruned`: it has dropped blocks or logs that the indexer needs; `unusable_logs`: it gives logs without a place in their block, or of a block that is gone.",
      "pruned",
    ),
  })
  .openapi("UnfitEndpoint", {
    description: "An RPC endpoint that lacks what the indexer has asked it for in the last ten minutes.",
  });

export type UnfitEndpoints = {
  note(unfit: UnfitEndpoint): void;
  /** in alphabetical order */
  current(): UnfitEndpoint[];
};

export function rememberUnfit(lasts = LASTS): UnfitEndpoints {
  const noted = new Map<string, { unfit: UnfitEndpoint; at: number }>();
  return {
    note: ({ endpoint, reason }) =>
      void noted.set(`${endpoint} ${reason}`, { unfit: { endpoint, reason }, at: performance.now() }),
    current() {
      for (const [key, { at }] of noted) if (performance.now() - at > lasts) noted.delete(key);
      return [...noted.keys()].sort().flatMap((key) => noted.get(key)?.unfit ?? []);
    },
  };
}
