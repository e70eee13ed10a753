/** @module A chain that exists in a function only. */

import { logsRequest } from "../../chain/call.ts";
import type { ChainClient } from "../../chain/client.ts";

type Request = Parameters<ChainClient["request"]>[0];

/** @param count of the calls that it has answered */
export function fakeChain(answer: (request: Request) => unknown, count: () => number): ChainClient {
  return {
    request: async (request) => answer(request),
    requestLogs: async (filter) => answer(logsRequest(filter)),
    requestUpTo: async (_upTo, requests) => requests.map(answer),
    requestAll: async (requests) => requests.map(answer),
    requestOptional: async (requests) => requests.map(answer),
    count,
  };
}
