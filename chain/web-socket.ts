/** @module JSON-RPC over a WebSocket: one answer, or the first notification of a subscription. */
import { basicCredentials } from "../config/redact.ts";
import { RpcError, type RpcRequest, resultsIn } from "./call.ts";

/** Node's WebSocket also takes headers, so that the password is sent in the same way as by the indexer. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> | undefined },
) => WebSocket;

type Asked = RpcRequest & {
  /** milliseconds */
  readonly timeout: number;
};

const REMEDY = "Look whether the endpoint is up and takes WebSockets, or leave WS_URL out.";

/** The result of a call. @throws {RpcError} */
export async function askWebSocket(url: string, asked: Asked): Promise<unknown> {
  const text = await firstMessage(url, asked, () => true, `did not answer ${asked.method}`);
  return resultsIn(text, [asked], { url })[0];
}

/** Waits for the announcement of a block. @throws {RpcError} */
export async function awaitBlock(url: string, timeout: number): Promise<void> {
  const asked = { method: "eth_subscribe", params: ["newHeads"], timeout };
  const isNoticeOrRefusal = (text: string) => /"error"|"eth_subscription"/.test(text);
  const text = await firstMessage(url, asked, isNoticeOrRefusal, "announced no block");
  if (!text.includes('"eth_subscription"')) resultsIn(text, [asked], { url });
}

async function firstMessage(
  url: string,
  { method, params = [], timeout }: Asked,
  isWanted: (text: string) => boolean,
  otherwise: string,
): Promise<string> {
  const credentials = basicCredentials(new URL(url));
  const headers = credentials === null ? undefined : { authorization: `Basic ${credentials}` };
  const socket = new NodeWebSocket(url, { headers });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => reject(new RpcError("timeout", `${otherwise} within ${timeout / 1000} s`, { remedy: REMEDY })),
    timeout,
  );
  socket.addEventListener("open", () =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })),
  );
  socket.addEventListener("message", ({ data }) => {
    if (isWanted(String(data))) resolve(String(data));
  });
  for (const event of ["error", "close"]) {
    socket.addEventListener(event, () =>
      reject(new RpcError("failure", "cannot be reached", { remedy: REMEDY })),
    );
  }
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
