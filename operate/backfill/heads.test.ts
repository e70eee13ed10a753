import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { keepHeads, shareHeads } from "./heads.ts";
import type { PonderApp, PonderRpc } from "./ponder.ts";

const block = (number: number, fork = "a") => ({
  number: `0x${number.toString(16)}`,
  hash: `0x${fork}${number}`,
});

/** Ponder's client, whose heads are kept from going back below `final`. */
function keeping(rpc: PonderRpc, { patience = 1_000, final = 0 } = {}): PonderRpc {
  const chains = [{ finality: { floor: () => final } }];
  const indexingBuild = { rpcs: [rpc], chains, finalizedBlocks: [block(final)] };
  keepHeads({ indexingBuild } as unknown as PonderApp, patience);
  return rpc;
}

type Named = ReturnType<typeof block> & { byNumber?: true; announced?: true };

/** The outcomes for blocks that endpoints name one after the other: as their heads, by number or announced by a WebSocket. */
async function headsOf(
  named: readonly Named[],
  { pause = 0, ...options }: { pause?: number; patience?: number; final?: number } = {},
): Promise<(string | null)[]> {
  let now = block(0);
  const rpc = keeping({ request: async () => ({ number: now.number, hash: now.hash }) }, options);
  const heads: (string | null)[] = [];
  for (const one of named) {
    now = one;
    const params = [one.byNumber ? one.number : "latest", true];
    const head = one.announced
      ? { hash: rpc.isAnnounced?.(one) ? one.hash : null }
      : ((await rpc.request({ method: "eth_getBlockByNumber", params })) as { hash: string });
    heads.push(head.hash);
    await sleep(pause);
  }
  return heads;
}

const announced = (...named: Parameters<typeof block>) => ({ ...block(...named), announced: true }) as const;

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
  const shorter = { patience: 20, pause: 30, final: 20 };
  expect(await headsOf([block(50), block(48), block(48)], shorter)).toEqual(["0xa50", "0xa50", "0xa48"]);
  expect(await headsOf([block(50), block(19), block(19)], shorter)).toEqual(["0xa50", "0xa50", "0xa50"]);
});

test("an older head after a silence does not mean a shorter chain", async () => {
  expect(await headsOf([block(50), block(48), block(51)], { patience: 20, pause: 30 })).toEqual([
    ...["0xa50", "0xa50", "0xa51"],
  ]);
});

test("a head below the final block is ignored, also before any other", async () => {
  expect(await headsOf([block(7), announced(8), block(11)], { final: 10 })).toEqual(["0xa10", null, "0xa11"]);
});

test("an older head that a WebSocket announces is dropped, and one of another chain is not", async () => {
  const named = [announced(8), announced(10), announced(9), announced(8), block(9), announced(11)];
  expect(await headsOf(named)).toEqual(["0xa8", "0xa10", null, null, "0xa10", "0xa11"]);
  expect(await headsOf([announced(9), announced(10), announced(9, "b")])).toEqual(["0xa9", "0xa10", "0xb9"]);
});

test("a header that is not sound is no head", () => {
  const rpc = keeping({
    request: async () => null,
    isAnnounced: (header) => (header as Named).hash !== "0xb10",
  });
  expect(rpc.isAnnounced?.(block(10, "b"))).toBe(false);
  expect(rpc.isAnnounced?.(block(9))).toBe(true);
});

test("an announced head that answers a poll has transactions, which Ponder requires", async () => {
  const rpc = keeping({ request: async () => block(9) });
  rpc.isAnnounced?.(block(10));
  const answer = await rpc.request({ method: "eth_getBlockByNumber", params: ["latest", true] });
  expect(answer).toEqual({ ...block(10), transactions: [] });
});

test("a change to an answer does not show in the next one", async () => {
  let number = 4;
  const rpc = keeping({ request: async () => ({ ...block(number--), transactions: ["one"] }) });
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
