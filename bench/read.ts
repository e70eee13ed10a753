/** @module Reads of the hot answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { againstBare, type Case } from "./harness/against-bare.ts";
import { capture, type Request } from "./harness/capture.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

const SMALL = { bar: "≥ 0.85", p99: "≤ 1.5" };
const LARGE = { bar: "≥ 0.95", p99: "≤ 1.5" };
const GZIP = { "Accept-Encoding": "gzip" };
const LIST = "/v1/listings";
/** Milliseconds. */
const INTERVAL = 50;

/** A large list is sent as it is until its compressed form is there. */
async function untilCompressed(port: number): Promise<void> {
  for (;;) {
    const { headers } = await capture(port, { path: LIST, headers: GZIP });
    if (headers.some((name) => name.toLowerCase() === "content-encoding")) return;
    await sleep(INTERVAL);
  }
}

export async function* read(stage: Stage): AsyncGenerator<Row> {
  for (const listings of [10, 1_000, 10_000]) {
    await using reader = await startReader(stage, { listings });
    const list = (name: string, request: Request, bars: typeof SMALL, status = 200): Case => ({
      case: `${listings.toLocaleString("en")} listings, ${name}`,
      requests: [request],
      ...{ status, ...bars },
    });
    const bars = listings === 10 ? SMALL : LARGE;
    const cases = [list("identity", { path: LIST }, bars), list("gzip", { path: LIST, headers: GZIP }, bars)];
    if (listings === 10_000) {
      const { headers } = await capture(reader.port, { path: LIST });
      const etag = headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1] ?? "";
      cases.push(list("304", { path: LIST, headers: { "If-None-Match": etag } }, SMALL, 304), {
        case: "one listing",
        requests: [{ path: `${LIST}/lst_000003` }],
        ...SMALL,
      });
    }
    await untilCompressed(reader.port);
    yield* againstBare("read", reader.port, cases);
  }
}
