import { Server } from "node:net";
import { expect, test, vi } from "vitest";
import { startChain } from "../harness/chain.ts";

test("a chain starts on another port when the one that was free has been taken", async () => {
  const taken: Server[] = [];
  const close = vi.spyOn(Server.prototype, "close").mockImplementationOnce(function (this: Server, done) {
    taken.push(this);
    done?.();
    return this;
  });
  const chain = await startChain();
  close.mockRestore();
  expect(taken).toHaveLength(1);
  expect(await chain.publicClient.getBlockNumber()).toBe(0n);
  await chain.stop();
  for (const server of taken) server.close();
});
