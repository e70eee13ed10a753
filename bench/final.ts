/**
 * From a mined event to an answer that calls it final, at the default pace of polls. The chain is as quick as BNB Smart Chain, and its
 * `finalized` block trails by three.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rogueEscrowAbi } from "../contracts/artifacts/RogueEscrow.ts";
import { startChain } from "../demo/chain.ts";
import { createDaemons } from "../test/harness/daemon.ts";
import { emit, events } from "../test/harness/emit.ts";
import { freePort } from "../test/harness/free-port.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { deployRogueEscrow } from "../test/harness/rogue.ts";
import { registryOf } from "../test/harness/rogue-market.ts";
import { startRpcProxy } from "../test/harness/rpc-proxy.ts";
import { capture } from "./harness/capture.ts";
import { median, soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";

/** Milliseconds from one block to the next, and blocks from the `finalized` one to the head. */
const BLOCK = 450;
const TRAIL = 3;
const EVENTS = 40;
/** Milliseconds after which an event counts as lost. */
const PATIENCE = 240_000;
const PAGE = { path: "/v1/events?limit=1" };

export async function* final(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const { connectionString } = await startPostgres();
  const chain = await startChain();
  const { address, blockNumber } = await deployRogueEscrow(chain);
  await emit(chain, address, events.created(1n));
  await chain.testClient.mine({ blocks: 40 });
  await chain.testClient.setAutomine(false);
  const proxy = await startRpcProxy(chain.rpcUrl);
  const known: unknown[] = [];
  const minedAt = new Map<bigint, number>();
  proxy.answers = ({ method, params }) =>
    method === "eth_getBlockByNumber" && params?.[0] === "finalized"
      ? (known.at(-1 - TRAIL) ?? null)
      : undefined;
  const mine = async () => {
    await chain.testClient.mine({ blocks: 1 });
    const at = performance.now();
    const block = await chain.publicClient.request({
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    });
    known.push(block);
    minedAt.set(BigInt(block?.number ?? 0), at);
  };
  let isMining = true;
  const mining = (async () => {
    for (let due = performance.now(); isMining; due += BLOCK) {
      await sleep(Math.max(0, due - performance.now()));
      await mine();
    }
  })();

  const daemons = createDaemons();
  const { folder, port, env } = await daemons.place(proxy.url);
  await writeFile(join(folder, "registry.json"), JSON.stringify(registryOf({ a: address })));
  const daemon = daemons.run(folder, {
    ...env,
    ...{ DATABASE_URL: connectionString, ESCROWS: `${address}@${blockNumber}`, REGISTRY: "registry.json" },
    OPERATOR_PORT: String(await freePort()),
  });
  /** Resolves to the time at which the newest event is final, once it is this one. */
  const untilFinal = async (raised: bigint) => {
    for (const startedAt = performance.now(); performance.now() - startedAt < PATIENCE; await sleep(5)) {
      const { status, body } = (await capture(port, PAGE).catch(() => null)) ?? { status: 0, body: "" };
      const [event] = status === 200 ? JSON.parse(body.toString()).events : [];
      if (event?.finality === "final" && (event.totalRaised ?? "0") === raised.toString())
        return performance.now();
    }
    throw new Error(`not final after ${PATIENCE / 1000} s\n${daemon.output()}`);
  };
  try {
    await untilFinal(0n);
    const times: number[] = [];
    for (let raised = 1n; raised <= EVENTS; raised++) {
      const hash = await chain.walletClient(0).writeContract({
        ...{ address, abi: rogueEscrowAbi, functionName: "batch" },
        args: [[events.subscribed(1n, 1n, raised)]],
      });
      const { blockNumber: block } = await chain.receiptOf(hash);
      times.push((await untilFinal(raised)) - (minedAt.get(block) ?? Number.NaN));
    }
    const row = (figure: string, value: number, bar: string) =>
      soloRow({ bench: "final", case: figure, unit: "ms", bar }, [value]);
    yield row("p50", median(times), "≤ 2,000 ms");
    yield row("longest", Math.max(...times), "reported");
  } finally {
    isMining = false;
    await mining;
    daemon.child.kill("SIGTERM");
    await daemon.ended;
    daemons.killAll();
    await proxy.stop();
    await chain.stop();
  }
}
