/** The same question of many clients at once, by the whole app: slots and request ids are its. */
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { fixedLedger } from "../../test/harness/fixed-ledger.ts";
import { SLOTS } from "../http/slots.ts";
import type { LedgerQueries } from "../ledger/read.ts";

/** More than can be worked on and wait. */
const MANY = 2 * (SLOTS.atOnce + SLOTS.waiting);
const QUERY = "query ($first: Int) { events(first: $first) { nodes { kind } } }";

/** Clients that ask for so many events each, all at once. @param read of the ledger, when it does not find an empty page */
async function clients(read?: () => never) {
  const found = fixedLedger();
  let reads = 0;
  const ledger: LedgerQueries = {
    ...found,
    async ofListings(listings, query) {
      reads += 1;
      await new Promise(setImmediate);
      return read?.() ?? found.ofListings(listings, query);
    },
  };
  const app = await appIn({ overrides: { ledger } });
  const ask = async (first: number) => {
    const body = JSON.stringify({ query: QUERY, variables: { first } });
    const headers = { "Content-Type": "application/json" };
    const response = await app.request("/graphql", { method: "POST", headers, body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return { reads: () => reads, askAtOnce: (firsts: readonly number[]) => Promise.all(firsts.map(ask)) };
}

describe("a question that many ask at once", () => {
  it("is worked on once, in one slot", async () => {
    const { reads, askAtOnce } = await clients();
    const answers = await askAtOnce(Array.from({ length: MANY }, () => 3));
    for (const answer of answers)
      expect(answer).toEqual({ status: 200, body: { data: { events: { nodes: [] } } } });
    expect(reads()).toBe(1);
    await askAtOnce([3]);
    expect(reads(), "when it is asked again later").toBe(2);
  });

  it("is another one with other variables", async () => {
    const { reads, askAtOnce } = await clients();
    const answers = await askAtOnce(Array.from({ length: MANY }, (_, index) => 1 + index));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(MANY / 2);
    expect(reads()).toBe(MANY / 2);
  });

  it("has an error for each client, with the id of its request", async () => {
    const { askAtOnce } = await clients(() => {
      throw new Error("the disk is gone");
    });
    const answers = await askAtOnce([3, 3]);
    const ids = answers.map(({ body }) => body.errors[0].extensions.requestId);
    expect(ids).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(ids[0]).not.toBe(ids[1]);
  });
});
