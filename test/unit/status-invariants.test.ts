import { describe, expect, it } from "vitest";
import {
  checkArbitraryHistories,
  checkPermittedHistories,
  REACHABLE_EDGES,
} from "../harness/status-property.ts";

/** More of them are told with `HISTORIES=100000`. */
const HISTORIES = Number(process.env.HISTORIES ?? 3_000);

describe(`the status over ${HISTORIES} random histories`, () => {
  it("keeps its invariants whatever the chain says", { timeout: 300_000 }, () => {
    checkArbitraryHistories(HISTORIES);
  });

  it("takes only the listed edges where the reference escrow permits the history", {
    timeout: 300_000,
  }, () => {
    const taken = checkPermittedHistories(HISTORIES);
    expect([...taken].sort()).toEqual(REACHABLE_EDGES);
  });
});
