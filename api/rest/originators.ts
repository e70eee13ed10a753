/**
 * Originators, and the market in figures. Interface document, "Endpoints".
 * @module
 */
import { createRoute, z } from "@hono/zod-openapi";
import { quote } from "../../config/format/untrusted-text.ts";
import { problemAnswer } from "../http/described-answers.ts";
import { ProblemError } from "../http/problem.ts";
import type { Market } from "../market/market.ts";
import { originatorSchema, statsSchema } from "../market/schema.ts";
import { marketAnswers } from "./answers.ts";
import type { RestApi } from "./route.ts";
import { asOfParameters, type ViewAt } from "./view.ts";

const originatorsSchema = z
  .object({ originators: z.array(originatorSchema).openapi({ description: "By public id." }) })
  .openapi("Originators");

export const listOriginators = createRoute({
  method: "get",
  path: "/originators",
  operationId: "listOriginators",
  summary: "All originators, each with its grade and its listings",
  description: "The businesses that have published a listing.",
  tags: ["Market"],
  request: { query: asOfParameters },
  responses: marketAnswers("The originators.", originatorsSchema),
});

const originatorId = z.object({
  publicId: z.string().openapi({
    param: { name: "publicId", in: "path" },
    description: "Public id.",
    example: "org_bluewater",
  }),
});

export const getOriginator = createRoute({
  method: "get",
  path: "/originators/{publicId}",
  operationId: "getOriginator",
  summary: "One originator",
  description: "By public id, with its grade and its listings.",
  tags: ["Market"],
  request: { params: originatorId, query: asOfParameters },
  responses: {
    ...marketAnswers("The originator.", originatorSchema),
    404: problemAnswer("No such visible originator."),
  },
});

export const getStats = createRoute({
  method: "get",
  path: "/stats",
  operationId: "getStats",
  summary: "The market in figures",
  description: "Totals over the visible listings.",
  tags: ["Market"],
  request: { query: asOfParameters },
  responses: marketAnswers("The statistics.", statsSchema),
});

export function addOriginators(api: RestApi, viewAt: ViewAt): void {
  api.openapi(listOriginators, async (c) => {
    const { market, encode, answer } = await viewAt(c, c.req.valid("query"));
    const { originators } = market;
    return answer(encode.originators(originators), (now) => now.originators === originators);
  });

  api.openapi(getOriginator, async (c) => {
    const { market, encode, answer } = await viewAt(c, c.req.valid("query"));
    const { publicId } = c.req.valid("param");
    const originator = market.originatorByPublicId.get(publicId);
    if (originator !== undefined) {
      const isSame = (now: Market) => now.originatorByPublicId.get(publicId) === originator;
      return answer(encode.originator(originator), isSame);
    }
    const detail = `No visible originator has the public id ${quote(publicId)}.`;
    throw new ProblemError({ code: "not_found", detail });
  });

  api.openapi(getStats, async (c) => {
    const { market, encode, answer } = await viewAt(c, c.req.valid("query"));
    const { stats } = market;
    return answer(encode.json(stats), (now) => now.stats === stats);
  });
}
