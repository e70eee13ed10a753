/**
 * Headers and path parameters that several routes have in common, as OpenAPI describes them.
 * @module
 */
import { z } from "@hono/zod-openapi";

export const ifNoneMatch = z.object({
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "Tags that the client has; a current one is answered with 304." }),
});
export const idParameter = z.object({
  id: z.string().openapi({
    param: { name: "id", in: "path" },
    description: "Public id or refnum.",
    example: "lst_bluewater_kelp",
  }),
});
export const publicIdParameter = z.object({
  publicId: z.string().openapi({
    param: { name: "publicId", in: "path" },
    description: "Public id.",
    example: "org_bluewater",
  }),
});
