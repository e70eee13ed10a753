/** @module Faults of the endpoints, but for their logs. */
import { freePort } from "../free-port.ts";
import { startNodeSocket } from "../node-socket.ts";
import { type RpcProxy, startRpcProxy } from "../rpc-proxy.ts";
import type { Fault, Seeded } from "./fault.ts";
import type { SetUp } from "./set-up.ts";

/** An endpoint in front of the chain, in addition to the chain itself or alone. */
export const endpoint =
  (
    change: (proxy: RpcProxy, setUp: SetUp) => unknown,
    { isAlone = false, ...env }: Record<string, unknown> = {},
  ) =>
  async (setUp: SetUp, onEnd: (end: () => unknown) => void): Promise<Seeded> => {
    const proxy = await startRpcProxy(setUp.chain.rpcUrl);
    onEnd(() => proxy.stop());
    await change(proxy, setUp);
    const urls = [`${proxy.url}?key=secret-key`, ...(isAlone ? [] : [setUp.chain.rpcUrl])];
    return { env: { RPC_URLS: urls.join(), ...(env as Record<string, string>) } };
  };

const refusing = (method: string, error: string) => (proxy: RpcProxy) => {
  proxy.answers = (request) => {
    if (request.method === method) throw new Error(error);
  };
};

const TOO_MANY = { status: 429, text: "" };

/** At most this many requests in any second. */
const perSecond = (limit: number) => (proxy: RpcProxy) => {
  const asked: number[] = [];
  proxy.refuses = () => {
    const now = performance.now();
    while ((asked[0] ?? now) < now - 1_000) asked.shift();
    if (asked.length >= limit) return TOO_MANY;
    asked.push(now);
    return undefined;
  };
};

/** At most this many requests in each second of the endpoint's clock. */
const perClockSecond = (limit: number) => (proxy: RpcProxy) => {
  let [second, asked] = [0, 0];
  proxy.refuses = () => {
    const now = Math.floor(performance.now() / 1_000);
    asked = second === now ? asked + 1 : 1;
    second = now;
    return asked > limit ? TOO_MANY : undefined;
  };
};

export const ENDPOINT_FAULTS: readonly Fault[] = [
  {
    name: "an endpoint that is down, next to another",
    seed: async ({ chain }) => ({
      env: { RPC_URLS: `${chain.rpcUrl},http://127.0.0.1:${await freePort()}/secret-key` },
    }),
    finds: [["warning", "RPC_URLS", /cannot be reached \(ECONNREFUSED\)/, /is up, and reachable/]],
  },
  {
    name: "the only endpoint is down",
    seed: async () => ({ env: { RPC_URLS: `http://127.0.0.1:${await freePort()}/secret-key` } }),
    finds: [["problem", "RPC_URLS", /cannot be reached \(ECONNREFUSED\)/, /is up, and reachable/]],
    isCutShort: true,
  },
  {
    name: "an endpoint of another chain",
    seed: endpoint((proxy) => {
      proxy.answers = ({ method }) => (method === "eth_chainId" ? "0x38" : undefined);
    }),
    finds: [
      [
        "problem",
        "RPC_URLS",
        /is on chain 56; expected chain id 97 \(CHAIN_ID\)/,
        /chain 97, or set CHAIN_ID=56/,
      ],
    ],
  },
  {
    name: "an endpoint that refuses eth_getLogs",
    seed: endpoint(refusing("eth_getLogs", "method not allowed")),
    finds: [["problem", "RPC_URLS", /refuses eth_getLogs: "method not allowed"/, /allows eth_getLogs/]],
  },
  {
    name: "a key that is not accepted",
    seed: endpoint((proxy) => {
      proxy.refuses = () => ({ status: 401, text: "secret-key is not known" });
    }),
    finds: [["warning", "RPC_URLS", /HTTP status 401/, /Check the key/]],
  },
  {
    name: "a node that stands still",
    seed: endpoint((proxy) => {
      proxy.answers = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params?.[0] === "latest"
          ? { timestamp: "0x6553f100" }
          : undefined;
    }),
    finds: [["warning", "RPC_URLS", /newest block that is \d+ minutes old/, /until the node has caught up/]],
  },
  {
    name: "a clock of this machine that is two hours late",
    seed: async () => ({ options: { now: () => Date.now() / 1000 - 7_200 } }),
    finds: [["warning", "RPC_URLS", /newest block that is 120 minutes in the future/, /machine's clock/]],
  },
  {
    name: "a node that is behind the other",
    seed: endpoint(async (proxy, { chain }) => {
      const head = Number(await chain.publicClient.getBlockNumber()) - 60;
      proxy.answers = ({ method }) => (method === "eth_blockNumber" ? `0x${head.toString(16)}` : undefined);
    }),
    finds: [["warning", "RPC_URLS", /is 6\d blocks behind the others/, /or take it out/]],
  },
  {
    name: "an endpoint that takes small batches alone",
    seed: endpoint((proxy) => {
      const text = JSON.stringify([
        {
          id: null,
          error: { code: 31, message: "Batch of more than 3 requests are not allowed on free tier" },
        },
      ]);
      proxy.refuses = ({ length }) => (length > 3 ? { status: 500, text } : undefined);
    }),
    finds: [
      [
        "warning",
        "RPC_URLS",
        /refuses a batch: "Batch of more than 3 requests.* \(of 50 requests; it takes 3\)/,
        /works with smaller ones/,
      ],
    ],
  },
  {
    name: "an endpoint that takes no batches",
    seed: endpoint((proxy) => {
      proxy.refuses = ({ length }) => (length > 1 ? { status: 200, error: "no batches" } : undefined);
    }),
    finds: [["warning", "RPC_URLS", /refuses a batch: "no batches"/, /works without batches/]],
  },
  {
    name: "a node without states",
    seed: endpoint(refusing("eth_getBalance", "missing trie node")),
    finds: [["warning", "RPC_URLS", /no state of recent blocks.*missing trie node/, /run no audits/]],
  },
  {
    name: "a node that is asked for states too often to say whether it has them",
    seed: endpoint(refusing("eth_getBalance", "compute units per second exceeded")),
    finds: [],
    measures: /archive=unknown/,
  },
  {
    name: "a node without old blocks",
    seed: endpoint((proxy, { escrow }) => {
      const first = `0x${escrow.blockNumber.toString(16)}`;
      proxy.answers = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params?.[0] === first ? null : undefined;
    }),
    finds: [["problem", "RPC_URLS", /does not have the history: it has no block \d+/, /archive node/]],
  },
  {
    name: "an endpoint of 10 requests a second",
    seed: endpoint(perSecond(10)),
    finds: [
      ["warning", "RPC_URLS", /takes about (?:[4-9]|1\d) requests a second, then .*429/, /larger plan/],
    ],
    measures: /requestsPerSecond=(?:[4-9]|1\d) /,
  },
  {
    name: "an endpoint of 10 requests in each second of its clock",
    seed: endpoint(perClockSecond(10)),
    finds: [
      ["warning", "RPC_URLS", /takes about (?:[4-9]|1\d) requests a second, then .*429/, /larger plan/],
    ],
    measures: /requestsPerSecond=(?:[4-9]|1\d) /,
  },
  {
    name: "an endpoint of 60 requests a second, which are enough",
    seed: endpoint(perSecond(60)),
    finds: [],
    measures: /requestsPerSecond=(?:[2-7]\d|at least \d+) /,
  },
  {
    name: "a slow endpoint",
    seed: endpoint((proxy) => {
      proxy.refuses = ([request]) => {
        // Asked last before the burst.
        if (request?.method === "eth_getBlockReceipts") proxy.delay = 1_050;
        return undefined;
      };
    }),
    finds: [["warning", "RPC_URLS", /takes \d{4} ms for an answer/, /that is nearer/]],
  },
  {
    name: "a WebSocket endpoint that is down",
    seed: async () => ({ env: { WS_URL: `ws://127.0.0.1:${await freePort()}/secret-key` } }),
    finds: [["warning", "WS_URL", /cannot be reached; new blocks are polled for/, /leave WS_URL out/]],
  },
  {
    name: "a WebSocket endpoint that announces nothing",
    seed: async (_, onEnd) => {
      const socket = await startNodeSocket();
      onEnd(() => socket.close());
      return { env: { WS_URL: `${socket.url}/secret-key` }, options: { timeout: 4_000 } };
    },
    finds: [["warning", "WS_URL", /announced no block within 4 s/, /leave WS_URL out/]],
  },
];
