/** @module Faults of the logs that endpoints give. */
import type { RpcProxy, RpcRequest } from "../rpc-proxy.ts";
import { endpoint } from "./endpoint-faults.ts";
import type { Fault } from "./fault.ts";
import type { SetUp } from "./set-up.ts";

/** The range of an `eth_getLogs`. */
const blocksOf = ({ params }: RpcRequest) => {
  const [filter] = params as [{ fromBlock: string; toBlock: string }];
  return Number(filter.toBlock) - Number(filter.fromBlock) + 1;
};

/** No logs from more than this many blocks before the head, and no error either. */
const forgetting =
  (blocks: number) =>
  async (proxy: RpcProxy, { chain }: SetUp) => {
    const oldest = Number(await chain.publicClient.getBlockNumber()) - blocks;
    proxy.alters = (logs) => logs.filter(({ blockNumber }) => Number(blockNumber) >= oldest);
  };

/** A head with which the other endpoint is asked for what the registry is compared with. */
async function aBlockBehind({ publicClient }: SetUp["chain"]): Promise<string> {
  return `0x${(Number(await publicClient.getBlockNumber()) - 1).toString(16)}`;
}

const ALL_LOGS = /keeps all logs/;

/** The only endpoint, with something else for each log. */
const logsWith = (name: string, alter: (log: object) => object[], problem: RegExp): Fault => ({
  name: `the only endpoint gives logs with ${name}`,
  seed: endpoint(
    (proxy) => {
      proxy.alters = <Log extends object>(logs: Log[]) => logs.flatMap(alter) as Log[];
    },
    { isAlone: true },
  ),
  finds: [
    ["problem", "RPC_URLS", problem, /Take the endpoint out/],
    ["warning", "REGISTRY", /^could not be compared with the chain/, /Take the endpoint out/],
  ],
});

export const LOG_FAULTS: readonly Fault[] = [
  {
    name: "the only endpoint answers for old logs with none",
    seed: endpoint(forgetting(30), { isAlone: true }),
    finds: [
      [
        "problem",
        "RPC_URLS",
        /does not have the history: it has no logs of block \d+, which has some/,
        /archive node/,
      ],
      ["problem", "RPC_URLS", /does not give all logs: .* has listing 1, but .* ListingCreated/, ALL_LOGS],
    ],
  },
  {
    name: "the only endpoint lacks the logs of a listing's creation",
    seed: endpoint(
      async (proxy, { chain, escrow }) => {
        const logs = await chain.publicClient.getLogs({ address: escrow.address, fromBlock: 0n });
        const last = logs.at(-1)?.blockNumber;
        proxy.alters = (all) => all.filter(({ blockNumber }) => BigInt(blockNumber) !== last);
      },
      { isAlone: true },
    ),
    finds: [
      ["problem", "RPC_URLS", /does not give all logs: .* has listing 2, but .* ListingCreated/, ALL_LOGS],
    ],
  },
  {
    name: "an endpoint that keeps logs back",
    seed: endpoint(async (proxy, { chain }) => {
      proxy.alters = (logs) => (logs.length > 1 ? logs.slice(1) : logs);
      const behind = await aBlockBehind(chain);
      proxy.answers = ({ method }) => (method === "eth_blockNumber" ? behind : undefined);
    }),
    finds: [["problem", "RPC_URLS", /^disagree about blocks \d+ to \d+.* against /, /block explorer/]],
  },
  {
    name: "an endpoint without the logs of a block by its hash",
    seed: endpoint((proxy) => {
      proxy.answers = ({ method, params: [filter] = [] }) => {
        if (method === "eth_getLogs" && Object.hasOwn(Object(filter), "blockHash"))
          throw new Error("blockHash is not supported");
      };
    }),
    finds: [["problem", "RPC_URLS", /by its blockHash: it has the history, but new blocks/, /EIP-234/]],
  },
  {
    name: "an endpoint that has pruned old logs",
    seed: endpoint(async (proxy, { chain, escrow }) => {
      const behind = await aBlockBehind(chain);
      proxy.answers = ({ method, params: [filter] = [] }) => {
        if (method === "eth_blockNumber") return behind;
        if (method === "eth_getLogs" && Number(Object(filter).fromBlock) <= escrow.blockNumber)
          throw Object.assign(new Error("pruned history unavailable"), { code: 4444 });
      };
    }),
    finds: [
      ["problem", "RPC_URLS", /does not have the history: .*pruned history unavailable/, /archive node/],
    ],
  },
  logsWith("the mark of a log that is gone", (log) => [{ ...log, removed: true }], /its removed is true/),
  logsWith(
    "no place in their block",
    (log) => [{ ...log, transactionIndex: null }],
    /its transactionIndex is null/,
  ),
  logsWith(
    "indexes that others have, too",
    (log) => [log, { ...log, data: "0x" }],
    /have the index \d+: events would be lost/,
  ),
  {
    name: "a range of eth_getLogs that is too wide",
    seed: endpoint(
      (proxy) => {
        proxy.answers = (request) => {
          if (request.method === "eth_getLogs" && blocksOf(request) > 25)
            throw new Error("25 blocks at most");
        };
      },
      { isAlone: true, ETH_GET_LOGS_RANGE: "50" },
    ),
    finds: [
      ["problem", "ETH_GET_LOGS_RANGE", /^is 50 blocks, and .*25 blocks at most/, /Set it to 20 at most/],
    ],
    proposes: () => ({ ETH_GET_LOGS_RANGE: "20" }),
  },
];
