import { describe, expect, it } from "vitest";
import type { AnomalyRow } from "../../src/fold/state.ts";
import { ANOMALY_KINDS } from "../../src/fold/vocabulary.ts";
import { appIn, type Situation } from "../../test/harness/app.ts";
import { type Ask, asking } from "../../test/harness/asking.ts";
import { fixedLedger, recordedLedger } from "../../test/harness/fixed-ledger.ts";
import { eventIdAt } from "../../test/harness/ledger-table.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import { HEAD, listingRow, NOW } from "../../test/harness/rows.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import type { LedgerQueries } from "../ledger/read.ts";

const { escrowAddress } = listingRow();

function anomaly(overrides: Partial<AnomalyRow> = {}): AnomalyRow {
  return {
    escrowAddress,
    onchainId: 2n,
    eventId: eventIdAt({ time: NOW, block: HEAD.number, log: 12 }),
    kind: "total_mismatch",
    eventKind: "subscribed",
    differences: [{ field: "totalRaised", expected: "100", found: "130" }],
    blockNumber: HEAD.number,
    blockTime: NOW,
    txHash: `0x${"7a".repeat(32)}`,
    ...overrides,
  };
}

const assertAnswer = await validatorOf(asking(await appIn()));

async function askIn(ledger: LedgerQueries, situation: Situation = {}): Promise<Ask> {
  return asking(await appIn({ ...situation, overrides: { ledger } }));
}

describe("/v1/anomalies", () => {
  const path = "/v1/anomalies";
  const rows = [
    anomaly({ blockNumber: HEAD.number - 30n }),
    anomaly({ onchainId: 99n, kind: "zero_amount", differences: [] }),
  ];

  it("has every anomaly, of invisible listings without a name", async () => {
    const byKind = { total_mismatch: 5, zero_amount: 1 };
    const next = { eventId: anomaly().eventId, kind: "zero_amount" } as const;
    const ask = await askIn(fixedLedger({ anomalies: { rows, byKind, next } }));
    const answer = await ask(path);
    assertAnswer(path, answer);
    const body = JSON.parse(answer.text);
    expect(body.byKind).toEqual(byKind);
    expect(body.anomalies[0]).toEqual({
      kind: "total_mismatch",
      eventKind: "subscribed",
      publicId: "lst_2",
      refnum: "RB00002",
      escrowAddress,
      onchainId: "2",
      blockNumber: (HEAD.number - 30n).toString(),
      blockTime: "2026-03-01T12:00:00Z",
      logIndex: 12,
      txHash: `0x${"7a".repeat(32)}`,
      finality: "final",
      differences: [{ field: "totalRaised", expected: "100", found: "130" }],
    });
    expect(body.anomalies[1]).toMatchObject({
      kind: "zero_amount",
      publicId: null,
      refnum: null,
      onchainId: "99",
      finality: "pending",
      differences: [],
    });
    const again = recordedLedger();
    await (await askIn(again.reader))(`${path}?cursor=${body.page.nextCursor}`);
    expect(again.asked.anomalies[0]?.before).toEqual(next);
    expect(answer.headers.get("link")).toContain(`cursor=${body.page.nextCursor}>; rel="next"`);
  });

  it("asks for what the parameters say", async () => {
    const { asked, reader } = recordedLedger();
    const ask = await askIn(reader);
    await ask(path);
    await ask(`${path}?kind=zero_amount,bad_refnum&listing=RB00002&limit=3`);
    await ask(`${path}?listing=lst_nowhere`);
    expect(asked.anomalies).toEqual([
      { kinds: null, pairs: null, before: null, limit: 50 },
      {
        kinds: new Set(["zero_amount", "bad_refnum"]),
        pairs: [{ escrowAddress, onchainId: 2n }],
        before: null,
        limit: 3,
      },
      { kinds: null, pairs: [], before: null, limit: 50 },
    ]);
  });

  it.each([
    ["kind=subscribed", "kind", ANOMALY_KINDS],
    ["cursor=MTIwLjM", "cursor", [expect.stringContaining("nextCursor")]],
    ["limit=1e2", "limit", ["an integer from 1 to 200"]],
    ["since=1", "since", ["kind", "listing", "limit", "cursor"]],
  ])("refuses ?%s and says what is allowed", async (query, parameter, allowed) => {
    const ask = await askIn(fixedLedger());
    const answer = await ask(`${path}?${query}`);
    assertAnswer(path, answer);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).errors).toEqual([{ parameter, detail: expect.any(String), allowed }]);
  });

  it("answers 503 while the ledger is not that of the market", async () => {
    const answer = await asking(await appIn({ overrides: await neverInStep() }))(path);
    assertAnswer(path, answer);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text).code).toBe("reorganising");
  });

  it("answers 503 before the first checkpoint, and JSON only", async () => {
    const early = await askIn(fixedLedger(), { snapshot: null });
    const unready = await askIn(fixedLedger({ anomalies: "not_indexed_yet" }));
    expect((await early(path)).status).toBe(503);
    expect((await unready(path)).status).toBe(503);
    const ask = await askIn(fixedLedger());
    expect((await ask(path, { headers: { accept: "text/csv" } })).status).toBe(406);
  });
});
