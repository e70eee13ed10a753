/** @module The endpoints that are unfit for the indexer, as they are answered, and as they are remembered. */
import { z } from "@hono/zod-openapi";
import { rememberLately } from "../../config/lately.ts";
import { UNFIT_REASONS, type UnfitEndpoint } from "../../config/unfit-endpoints.ts";
import { oneOf } from "../market/fields.ts";

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

/** Those that the indexer has named lately. */
export const rememberUnfit = () =>
  rememberLately(({ endpoint, reason }: UnfitEndpoint) => `${endpoint} ${reason}`);
