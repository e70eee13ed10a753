/**
 * The market of a request, live or past, and its encoded answers.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../../format/time.ts";
import type { AsOf, NoPast } from "../history/history.ts";
import { type Body, createBodyCache, createBoundedBodyCache } from "../http/body.ts";
import { ProblemError } from "../http/problem.ts";
import { answer } from "../http/respond.ts";
import type { Market } from "../market/market.ts";
import { textField } from "../market/query-field.ts";
import type { RestDependencies } from "./dependencies.ts";
import { parameter } from "./parameters.ts";
import { notIndexedYet } from "./route.ts";

export const asOf = parameter({
  ...textField((text): AsOf | null => (text === "head" ? "head" : parseBlockOrTime(text)), "head", {
    description:
      "The market as it stood: `head` (the live answer), a block number, or a time in ISO 8601. `holderCount` is null in the past",
    example: "2026-03-01T12:00:00Z",
  }),
  allowed: ["head", BLOCK_OR_TIME_FORM],
});

/** Of the paths without other parameters. */
export const asOfParameters = z.object({ asOf });

/** Of encoded answers about the past. */
const MOST_PAST_BYTES = 64 * 1024 * 1024;

type View = {
  market: Market;
  /** Answers with a body encoded once for each market. */
  answer(key: string, make: () => Body): Promise<Response>;
  /** Answers with a body that is not kept. */
  answerOnce(body: Body, headers: Record<string, string>): Promise<Response>;
};

/** The market of a request. @throws ProblemError when there is none */
export type ViewAt = (c: Context, asOf: AsOf | undefined) => Promise<View>;

/** Keeps the encoded answers of the live market, and the most recently used ones of the past. */
export function createViews({ feed, history }: Pick<RestDependencies, "feed" | "history">): ViewAt {
  const live = createBodyCache();
  const past = createBoundedBodyCache(MOST_PAST_BYTES);
  return async (c, asOf = "head") => {
    const snapshot = feed.current();
    if (snapshot === null) throw notIndexedYet();
    const market = await history.at(snapshot, asOf);
    if ("reason" in market) throw noPast(market);
    const kept = market === snapshot.market ? live : past;
    const { head } = snapshot.market;
    return {
      market,
      answer: (key, make) => answer(c, kept(market, key, make), head),
      answerOnce: (body, headers) => answer(c, body, head, headers),
    };
  };
}

/** Seconds to wait before asking again. */
const RETRY_AFTER = { backfilling: "10", chain_silent: "2", too_many_requests: "2" } as const;

function noPast({ reason, detail }: NoPast): ProblemError {
  if (reason === "out_of_range") {
    const errors = [{ parameter: "asOf", detail, allowed: ["head", "a moment between the two blocks"] }];
    return new ProblemError({ code: "invalid_parameter", detail, errors });
  }
  return new ProblemError({ code: reason, detail, headers: { "Retry-After": RETRY_AFTER[reason] } });
}
