/**
 * Faults of the environment, the endpoints and the contracts.
 * @module
 */
import { once } from "node:events";
import { WebSocketServer } from "ws";
import { freePort } from "../free-port.ts";
import { type RpcProxy, type RpcRequest, startRpcProxy } from "../rpc-proxy.ts";
import type { Fault, Seeded } from "./fault.ts";
import { NOWHERE, type SetUp } from "./set-up.ts";

export const ENVIRONMENT_FAULTS: readonly Fault[] = [
  {
    name: "a name that nothing reads instead of a required one",
    seed: { RPC_URLS: "", RPC_URL: "http://127.0.0.1:1/secret-key" },
    finds: [
      ["problem", "RPC_URLS", /^is required/, /RPC_URLS=https:/],
      ["warning", "RPC_URL", /^is set, but nothing reads it/, /Call it RPC_URLS/],
    ],
    isCutShort: true,
  },
  {
    name: "several values that cannot be used",
    seed: { PORT: "x", HOLDERS: "maybe", KNOWLEDGE: "nowhere" },
    finds: [
      ["problem", "HOLDERS", /^must be true or false/, /HOLDERS=true/],
      ["problem", "PORT", /^must be an integer/, /PORT=42069/],
      ["problem", "KNOWLEDGE", /does not exist/, /Mend the pages/],
    ],
    isCutShort: true,
  },
  {
    name: "a logo that is not there",
    seed: { SITE_LOGO: "nowhere.svg" },
    finds: [["problem", "SITE_LOGO", /^cannot be used \(nowhere\.svg\)/, /Take another file/]],
  },
  {
    name: "a public host with an address of this machine alone",
    seed: { HOST: "0.0.0.0" },
    finds: [["warning", "PUBLIC_URL", /^leads everybody to their own machine/, /or HOST to 127\.0\.0\.1/]],
  },
];

/** An endpoint in front of the chain, beside the chain itself or alone. */
const endpoint =
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

/** The range of an `eth_getLogs`. */
const blocksOf = ({ params }: RpcRequest) => {
  const [filter] = params as [{ fromBlock: string; toBlock: string }];
  return Number(filter.toBlock) - Number(filter.fromBlock) + 1;
};

export const ENDPOINT_FAULTS: readonly Fault[] = [
  {
    name: "an endpoint that is down, beside another",
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
    finds: [["problem", "RPC_URLS", /is on chain 56; expected chain id 97/, /chain 97 \(BSC testnet\)/]],
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
    name: "a node without old blocks",
    seed: endpoint((proxy, { escrow }) => {
      const first = `0x${escrow.blockNumber.toString(16)}`;
      proxy.answers = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params?.[0] === first ? null : undefined;
    }),
    finds: [["problem", "RPC_URLS", /does not have the history: it has no block \d+/, /archive node/]],
  },
  {
    name: "an endpoint of few requests a second",
    seed: endpoint((proxy) => {
      // What is asked before the burst is answered after some pauses, too.
      const asked: number[] = [];
      proxy.refuses = () => {
        const now = performance.now();
        while ((asked[0] ?? now) < now - 1_000) asked.shift();
        if (asked.length >= 12) return { status: 429, text: "" };
        asked.push(now);
        return undefined;
      };
    }),
    finds: [["warning", "RPC_URLS", /takes about \d+ requests a second, then .*429/, /larger plan/]],
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
    finds: [["warning", "RPC_URLS", /takes 1\d{3} ms for an answer/, /that is nearer/]],
  },
  {
    name: "an endpoint that keeps logs back",
    seed: endpoint((proxy) => {
      proxy.alters = (logs) => logs.slice(1);
    }),
    finds: [["problem", "RPC_URLS", /^disagree about blocks \d+ to \d+.* against /, /block explorer/]],
  },
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
  {
    name: "a WebSocket endpoint that is down",
    seed: async () => ({ env: { WS_URL: `ws://127.0.0.1:${await freePort()}/secret-key` } }),
    finds: [["warning", "WS_URL", /cannot be reached; new blocks are polled for/, /leave WS_URL out/]],
  },
  {
    name: "a WebSocket endpoint that announces nothing",
    seed: async (_, onEnd) => {
      const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
      onEnd(() => server.close());
      await once(server, "listening");
      server.on("connection", (socket) =>
        socket.on("message", (message) => {
          const { method } = JSON.parse(String(message)) as { method: string };
          socket.send(JSON.stringify({ id: 1, result: method === "eth_chainId" ? "0x61" : "0x1" }));
        }),
      );
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      return { env: { WS_URL: `ws://127.0.0.1:${port}/secret-key` } };
    },
    finds: [["warning", "WS_URL", /announced no block within 2 s/, /leave WS_URL out/]],
  },
];

export const CONTRACT_FAULTS: readonly Fault[] = [
  {
    name: "an address without a contract",
    seed: async ({ env }) => ({ env: { ESCROWS: `${env.ESCROWS},${NOWHERE}@1` } }),
    finds: [["problem", "ESCROWS", /where there is no contract/, /from the deployment on this chain/]],
  },
  {
    name: "a start block in the future",
    seed: async ({ desk }) => ({ env: { DESK: `${desk.address}@999999` } }),
    finds: [["problem", "DESK", /at block 999999, but the chain's newest/, /block of its deployment/]],
  },
  {
    name: "a start block after the first events",
    seed: async ({ escrow }) => ({ env: { ESCROWS: `${escrow.address}@${escrow.blockNumber + 40n}` } }),
    finds: [["problem", "ESCROWS", /after its first events \(block \d+\)/, /block of its deployment/]],
    proposes: ({ escrow }) => ({ ESCROWS: `${escrow.address}@${escrow.blockNumber}` }),
  },
  {
    name: "the same with a node that has no old states",
    seed: async (setUp, onEnd) => {
      const { escrow } = setUp;
      const { env } = await endpoint(
        (proxy) => {
          proxy.answers = ({ method, params }) => {
            if (method === "eth_getCode" && params?.[1] !== "latest") throw new Error("missing trie node");
          };
        },
        { isAlone: true },
      )(setUp, onEnd);
      return { env: { ...env, ESCROWS: `${escrow.address}@${escrow.blockNumber + 40n}` } };
    },
    finds: [["problem", "ESCROWS", /after its first events \(block \d+\)/, /block of its deployment/]],
  },
  {
    name: "a start block long before the deployment",
    seed: async ({ desk, escrow }) => ({
      env: { ESCROWS: `${escrow.address}@10`, DESK: `${desk.address}@${desk.blockNumber}` },
    }),
    finds: [["warning", "ESCROWS", /blocks before it was deployed/, /block of its deployment/]],
    proposes: ({ escrow }) => ({ ESCROWS: `${escrow.address}@${escrow.blockNumber}` }),
  },
  {
    name: "an escrow that is named as the desk",
    seed: async ({ escrow }) => ({ env: { DESK: `${escrow.address}@${escrow.blockNumber}` } }),
    finds: [["problem", "DESK", /emits the events of a listing escrow/, /name it in ESCROWS/]],
  },
];
