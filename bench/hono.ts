/** @module Answers that are made for the request, through all of the middleware. */
import { againstBare } from "./harness/against-bare.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

const REPORTED = "reported";

export async function* hono(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, { listings: 10_000 });
  const of = (name: string, path: string, status = 200, bar = REPORTED) => ({
    ...{ case: name, requests: [{ path }], status, bar },
  });
  yield* againstBare("hono", reader.port, [
    // Only the views of the past use `asOf`: here the bytes are ready, and only the middleware costs time.
    of("1 kB, middleware alone", "/v1/listings/lst_000003?asOf=head", 200, "≥ 0.5"),
    of("a rare filter", "/v1/listings?minCouponBps=1750&grade=A,B&limit=20"),
    of("an error, 400", "/v1/listings?nothing=1", 400),
    of("an error, 404", "/v1/listings/nothing", 404),
    of("health", "/v1/health"),
  ]);
}
