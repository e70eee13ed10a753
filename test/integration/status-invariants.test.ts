import { describe, expect, it } from "vitest";
import {
  checkArbitraryHistories,
  checkPermittedHistories,
  historiesToTell,
  REACHABLE_EDGES,
} from "../harness/status-property.ts";

const HISTORIES = historiesToTell(100_000);

describe(`the status over ${HISTORIES} random histories`, () => {
  it("keeps its invariants whatever the chain says", { timeout: 600_000 }, () => {
    checkArbitraryHistories(HISTORIES);
  });

  it("takes only the listed edges where the reference escrow permits the history", {
    timeout: 600_000,
  }, () => {
    const taken = checkPermittedHistories(HISTORIES);
    expect([...taken].sort()).toEqual(REACHABLE_EDGES);
  });
});
