import { pad } from "viem";
import { describe, expect, it } from "vitest";
import type { PonderApp } from "./ponder.ts";
import { requireSoundLogs } from "./sound-logs.ts";

const log = (changes: object = {}) => ({
  address: `0x${"ab".repeat(20)}`,
  topics: [pad("0x1")],
  data: "0x",
  ...{ blockNumber: "0x10", blockHash: pad("0xb"), transactionHash: pad("0x7") },
  ...{ transactionIndex: "0x0", logIndex: "0x0" },
  ...changes,
});

describe("requireSoundLogs", () => {
  function answering(answers: unknown[]) {
    const rpc = { request: async (_body: object): Promise<unknown> => answers.shift() };
    requireSoundLogs({ indexingBuild: { rpcs: [rpc] } } as unknown as Pick<PonderApp, "indexingBuild">);
    return () => rpc.request({ method: "eth_getLogs", params: [{}] });
  }

  it("passes sound answers on, also the same logs again", async () => {
    const ask = answering([[log()], [log()]]);
    expect(await ask()).toEqual([log()]);
    expect(await ask()).toEqual([log()]);
  });

  it("fails an answer whose log has the place of one in an earlier answer", async () => {
    const ask = answering([[log()], [log({ transactionIndex: "0x1", transactionHash: pad("0x1") })]]);
    await ask();
    await expect(ask()).rejects.toThrow(/have the index 0/);
  });

  it("fails an answer with a log that cannot be used", async () => {
    await expect(answering([[log({ logIndex: "" })]])()).rejects.toThrow(/its logIndex is ""/);
  });
});
