/**
 * The market of a request, live or past, and its answers.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../../format/time.ts";
import type { AsOf, NoPast } from "../history/history.ts";
import { type Body, createBodyCache, createBoundedBodyCache } from "../http/body.ts";
import { notIndexedYet } from "../http/not-yet.ts";
import { ProblemError } from "../http/problem.ts";
import { answer, type Headers, type Lasting } from "../http/respond.ts";
import type { Market } from "../market/market.ts";
import { textField } from "../market/query-field.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { RestDependencies } from "./dependencies.ts";
import { createEncoder, type Encoder } from "./encoded.ts";
import { parameter } from "./parameters.ts";

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
  /** keeps what it has encoded of the live market, and the most recently used of the past */
  encode: Encoder;
  /**
   * Answers with a body.
   * @param isSame whether another market has the same body at the same address
   */
  answer(body: Body, isSame: (market: Market) => boolean, headers?: Headers): Promise<Response>;
};

/** The market of a request. @throws ProblemError when there is none */
export type ViewAt = (c: Context, asOf: AsOf | undefined) => Promise<View>;

export function createViews({ feed, history }: Pick<RestDependencies, "feed" | "history">): ViewAt {
  const live = createEncoder(createBodyCache());
  const past = createEncoder(createBoundedBodyCache(MOST_PAST_BYTES));
  return async (c, asOf = "head") => {
    const snapshot = feed.current();
    if (snapshot === null) throw notIndexedYet();
    const market = await history.at(snapshot, asOf);
    if ("reason" in market) throw noPast(market);
    const isLive = market === snapshot.market;
    return {
      market,
      encode: isLive ? live : past,
      answer(body, isSame, headers) {
        const lasting = isLive && asOf === "head" ? whileCurrent(feed, isSame) : undefined;
        return answer(c, body, snapshot.market.head, { headers, lasting });
      },
    };
  };
}

/** For as long as this holds of the current market. */
function whileCurrent(feed: MarketSource, isSame: (market: Market) => boolean): Lasting {
  let known: Market | null = null;
  return {
    isCurrent() {
      const now = feed.current()?.market ?? null;
      if (now === null || (now !== known && !isSame(now))) return false;
      known = now;
      return true;
    },
    head: () => feed.current()?.market.head ?? null,
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
