/**
 * The bodies of the REST answers. Interface document, "Endpoints".
 * @module
 */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../ledger/schema.ts";
import { listingSchema, originatorSchema } from "../market/schema.ts";
import { tradingSchema } from "../market/trading-schema.ts";

export const listingsSchema = z
  .object({
    listings: z
      .array(listingSchema)
      .openapi({ description: "Every visible listing, open or otherwise; newest first." }),
    trading: tradingSchema,
    page: pageSchema.optional(),
  })
  .openapi("Listings");

export const originatorsSchema = z
  .object({ originators: z.array(originatorSchema).openapi({ description: "By public id." }) })
  .openapi("Originators");
