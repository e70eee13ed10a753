import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { keepHeads, shareHeads } from "./heads.ts";
import type { PonderApp, PonderRpc } from "./ponder.ts";

const block = (number: number, fork = "a") => ({
  number: `0x${number.toString(16)}`,
  hash: `0x${fork}${number}`,
});

/** What comes of the blocks that endpoints name, one after the other, as their heads unless by number. */
async function headsOf(
  named: readonly (ReturnType<typeof block> & { byNumber?: true })[],
  { patience = 1_000, pause = 0 } = {},
): Promise<string[]> {
  let asked = 0;
  const rpc: PonderRpc = {
    request: async () => {
      const { number, hash } = named[asked++] ?? block(0);
      return { number, hash };
    },
  };
  const indexingBuild = { rpcs: [rpc], chains: [{ finality: { floor: () => 20 } }] };
  keepHeads({ indexingBuild } as unknown as PonderApp, patience);
  const heads: string[] = [];
  for (const one of named) {
    const params = ["byNumber" in one ? one.number : "latest", true];
    heads.push(((await rpc.request({ method: "eth_getBlockByNumber", params })) as { hash: string }).hash);
    await sleep(pause);
  }
  return heads;
}

test("an older head of the same chain is answered with the newest, however old it is", async () => {
  expect(await headsOf([block(8), block(10), block(8), block(9), block(1), block(11)])).toEqual([
    ...["0xa8", "0xa10", "0xa10", "0xa10", "0xa10", "0xa11"],
  ]);
});

test("a head of another chain is answered as it is, at any height", async () => {
  expect(await headsOf([block(8), block(10), block(8, "b"), block(9, "b"), block(10, "b")])).toEqual([
    ...["0xa8", "0xa10", "0xb8", "0xb9", "0xb10"],
  ]);
});

test("a block that was asked for by its number is no head, but tells the chains apart", async () => {
  const asked = { ...block(9), byNumber: true } as const;
  expect(await headsOf([block(10), asked, block(9, "b")])).toEqual(["0xa10", "0xa9", "0xb9"]);
});

test("a chain that stays shorter is, within what can be taken back", async () => {
  const shorter = { patience: 20, pause: 30 };
  expect(await headsOf([block(50), block(48), block(48)], shorter)).toEqual(["0xa50", "0xa48", "0xa48"]);
  expect(await headsOf([block(50), block(20), block(20)], shorter)).toEqual(["0xa50", "0xa50", "0xa50"]);
});

test("what is changed in an answer is not in the next", async () => {
  let number = 4;
  const rpc: PonderRpc = { request: async () => ({ ...block(number--), transactions: ["one"] }) };
  const indexingBuild = { rpcs: [rpc], chains: [{ finality: { floor: () => 20 } }] };
  keepHeads({ indexingBuild } as unknown as PonderApp);
  const ask = () => rpc.request({ method: "eth_getBlockByNumber", params: ["latest", true] });
  const first = (await ask()) as { transactions: string[] };
  first.transactions = [];
  expect(await ask()).toEqual({ ...block(4), transactions: ["one"] });
});

test("one question for the head stands for those that come before its answer, for a while", async () => {
  const asked: PromiseWithResolvers<unknown>[] = [];
  const rpc: PonderRpc = {
    request: () => {
      const one = Promise.withResolvers<unknown>();
      asked.push(one);
      return one.promise;
    },
  };
  shareHeads({ indexingBuild: { rpcs: [rpc] } } as unknown as PonderApp, 200);
  const poll = () => rpc.request({ method: "eth_getBlockByNumber", params: ["latest", true] });
  const [first, second] = [poll(), poll()];
  expect(asked).toHaveLength(1);
  void rpc.request({ method: "eth_getBlockByNumber", params: ["0x1", true] });
  void rpc.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  expect(asked).toHaveLength(3);
  asked[0]?.reject(new Error("down"));
  await expect(first).rejects.toThrow("down");
  await expect(second).rejects.toThrow("down");
  const third = poll();
  expect(asked).toHaveLength(4);
  await sleep(250);
  const fourth = poll();
  expect(asked).toHaveLength(5);
  asked[4]?.resolve("head");
  expect(await fourth).toBe("head");
  asked[3]?.resolve("an older one");
  expect(await third).toBe("an older one");
});
