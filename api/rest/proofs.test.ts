import { beforeAll, describe, expect, it } from "vitest";
import { NOTHING_PROVEN } from "../../config/completeness.ts";
import { NO_DELTAS } from "../../src/fold/state.ts";
import { appIn, appShowing } from "../../test/harness/app.ts";
import { memoryLedger, memoryRows } from "../../test/harness/memory-ledger.ts";
import { createProvenApp } from "../../test/harness/proven-app.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { judgeEvent, judgeTotals } from "../../test/model/proof.ts";

let proven: Awaited<ReturnType<typeof createProvenApp>>;
beforeAll(async () => {
  proven = await createProvenApp();
});

const problemOf = async (response: Response) => {
  const { code, status, detail } = (await response.json()) as Record<string, unknown>;
  return { code, status, detail, retryAfter: response.headers.get("Retry-After") };
};

describe("/v1/events/{id}/proof", () => {
  it("proves every event to somebody who shares nothing with the service", async () => {
    const kinds = new Set<string>();
    for (const event of proven.events) {
      const proof = await proven.eventProof(event);
      judgeEvent(proof, proven.chain.hashOf(proof.block.number));
      kinds.add(proof.event.kind);
    }
    expect(kinds.size).toBe(15);
  });

  it("is of the event that the ledger shows", async () => {
    const answer = await proven.app.request("https://raises.example/v1/events?limit=1&kind=repaid");
    const { events } = (await answer.json()) as { events: { blockNumber: string; logIndex: number }[] };
    const [event] = events;
    const proof = await proven.eventProof(`${event?.blockNumber}-${event?.logIndex}`);
    expect(proof.event).toEqual(event);
    expect(answer.headers.get("etag")).not.toBeNull();
  });

  it("asks the node for two answers a block, however many events are proven", () => {
    const blocks = new Set(proven.events.map((event) => event.split("-")[0]));
    expect(proven.node.asked).toEqual(
      [...blocks].flatMap(() => ["eth_getBlockByNumber", "eth_getBlockReceipts"]),
    );
  });

  it("is kept by clients", async () => {
    const url = `https://raises.example/v1/events/${proven.events[0]}/proof`;
    const etag = (await proven.app.request(url)).headers.get("etag") ?? "";
    const again = await proven.app.request(url, { headers: { "If-None-Match": etag } });
    expect([again.status, again.headers.get("access-control-allow-origin")]).toEqual([304, "*"]);
  });

  it.each(["120-3", "x", "48210994", "48210994-", "48210994-0-0", "1".repeat(30), "48210994-9999999999"])(
    "%s: not found",
    async (id) => {
      const answer = await proven.app.request(`https://raises.example/v1/events/${id}/proof`);
      expect(await problemOf(answer)).toMatchObject({ code: "not_found", status: 404 });
    },
  );

  it("waits until the event is final", async () => {
    const [row] = memoryRows([{ onchainId: 2n, kind: "repaid", ago: 0n, args: {}, ...NO_DELTAS }]);
    if (row === undefined) throw new Error("no row");
    const app = await appIn({ overrides: { ledger: memoryLedger([row]) } });
    const answer = await app.request(`https://raises.example/v1/events/${row.blockNumber}-0/proof`);
    expect(await problemOf(answer)).toMatchObject({ code: "not_final", status: 409, retryAfter: "2" });
  });

  it("says why there is no proof, and when to ask again", async () => {
    const [row] = memoryRows([{ onchainId: 2n, kind: "repaid", ago: 9n, args: {} }]);
    if (row === undefined) throw new Error("no row");
    const old = { ...row, blockNumber: 5n };
    for (const [reason, status] of [
      ["chain_silent", 503],
      ["proof_unavailable", 503],
      ["too_many_requests", 429],
    ] as const) {
      const none = async () => ({ reason, detail: "No.", retryAfter: 7 });
      const proofs = { ofEvent: none, ofListing: none };
      const app = await appIn({ overrides: { ledger: memoryLedger([old]), proofs } });
      for (const path of ["events/5-0", "listings/lst_2"]) {
        const answer = await app.request(`https://raises.example/v1/${path}/proof`);
        expect(await problemOf(answer)).toEqual({ code: reason, status, detail: "No.", retryAfter: "7" });
      }
    }
  });
});

describe("/v1/listings/{id}/proof", () => {
  it.each(["lst_1", "lst_2"])("%s: its totals follow from proven events", async (id) => {
    const proof = await proven.listingProof(id);
    await judgeTotals(proof, proven.chain.hashOf, proven.eventProof);
  });

  it("says where each figure comes from", async () => {
    const { totals } = await proven.listingProof("lst_1");
    const shown = Object.entries(totals).map(([name, { value, field, proof, sumOf }]) => [
      name,
      value,
      proof?.event.kind ?? null,
      field,
      sumOf?.map((part) => `${part.sign}${part.amount}`).join(""),
    ]);
    expect(shown).toEqual([
      ["raisedAmount", "140", "listing_closed", "raisedAmount", ""],
      ["refundedAmount", "20", "refunded", "totalRefunded", ""],
      ["reserveBalance", "50", "reserve_changed", "reserveBalance", ""],
      ["outstandingPrincipal", "0", "listing_settled", null, ""],
      ["claimedAmount", "5", "payout_claimed", "totalClaimed", ""],
      ["repaidAmount", "140", null, null, "+40+3+90+7"],
    ]);
  });

  it("leads from the last total to the figure", async () => {
    const { totals } = await proven.listingProof("lst_2");
    expect(totals.raisedAmount).toMatchObject({
      value: "40",
      field: "totalRaised",
      sumOf: [{ field: "amount", sign: "-", amount: "30" }],
    });
    const nothing = { value: "0", source: null, field: null, proof: null, sumOf: [] };
    expect(totals.claimedAmount).toEqual({ ...nothing, unexplained: null, view: null });
  });

  it("is made again when more is known of the completeness of the logs", async () => {
    const { app, show } = await appShowing();
    const snapshot = await snapshotOf(tablesOf());
    await using served = await serveApp(app);
    const provenBlocks = async (proven: string) => {
      show({ ...snapshot, completeness: { ...NOTHING_PROVEN, mode: "events", proven } });
      const answer = await fetch(`${served.url}/v1/listings/lst_1/proof`);
      return ((await answer.json()) as { completeness: { provenBlocks: string } }).completeness.provenBlocks;
    };
    for (const proven of ["1", "1", "2"]) expect(await provenBlocks(proven)).toBe(proven);
    expect(served.askedApp()).toBe(2);
  });

  it("does not exist for a listing that is not visible", async () => {
    const answer = await proven.app.request("https://raises.example/v1/listings/lst_9/proof");
    expect(await problemOf(answer)).toMatchObject({ code: "not_found", status: 404 });
  });
});

it("names no person in the event where the service names none", async () => {
  const silent = await createProvenApp({ exposeAccounts: false });
  const index = silent.chain.rows.findIndex(({ kind }) => kind === "subscribed");
  const proof = await silent.eventProof(silent.events[index] ?? "");
  expect(proof.event).not.toHaveProperty("backer");
  judgeEvent(proof, silent.chain.hashOf(proof.block.number));
});
