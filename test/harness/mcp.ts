/** @module Calls of the tools over the app, without a client between. */
import type { Hono } from "hono";
import type { LedgerQueries } from "../../api/ledger/read.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { fixedLedger } from "./fixed-ledger.ts";
import { HEAD, NOW } from "./rows.ts";

export type Called = {
  /** the text that a model reads */
  text: string;
  structuredContent: Record<string, unknown> | undefined;
  isError: boolean;
};

type Answer = {
  result?: {
    tools?: unknown[];
    content?: { text: string }[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  };
  error?: { code: number; message: string };
};

/** The tool endpoint of an app. */
export function calling(app: Hono) {
  const send = async (method: string, params: object) => {
    const response = await app.request("http://raises.example/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const text = await response.text();
    const { result, error } = JSON.parse(text) as Answer;
    if (result === undefined) throw new Error(`${method}: ${error?.code} ${error?.message}`);
    return result;
  };
  const call = async (name: string, args: object): Promise<Called> => {
    const result = await send("tools/call", { name, arguments: args });
    const { content = [], structuredContent, isError = false } = result;
    return { text: content.map(({ text }) => text).join("\n"), structuredContent, isError };
  };
  return {
    send,
    call,
    /** A tool's answer that is no error. */
    async facts(name: string, args: object): Promise<Record<string, unknown>> {
      const { structuredContent, text } = await call(name, args);
      if (structuredContent === undefined) throw new Error(`${name}: ${text}`);
      return structuredContent;
    },
    /** The tools, and how long the list is in bytes. */
    async listTools<Listed>(): Promise<{ tools: Listed[]; length: number }> {
      const result = await send("tools/list", {});
      return { tools: (result.tools ?? []) as Listed[], length: Buffer.byteLength(JSON.stringify(result)) };
    },
  };
}

/** A ledger in which every raise has this many subscriptions, with the largest figures that the chain can carry. */
export function busyLedger(count: number): LedgerQueries {
  const most = `${2n ** 256n - 1n}`;
  const person = `0x${"b1".repeat(20)}`;
  const reader = fixedLedger();
  return {
    ...reader,
    async ofListing({ escrowAddress, onchainId }, query) {
      const page = await reader.ofListing({ escrowAddress, onchainId }, query);
      if (typeof page === "string") return page;
      const rows = Array.from(
        { length: Math.min(count, query.limit) },
        (_, index): LedgerRow => ({
          escrowAddress,
          onchainId: BigInt(onchainId),
          eventId: `${count - index}`.padStart(75, "0"),
          kind: "subscribed",
          blockNumber: HEAD.number - BigInt(index),
          blockTime: NOW - BigInt(index),
          txHash: `0x${"7a".repeat(32)}`,
          logIndex: 4,
          part: 0,
          args: { backer: person, payer: person, amount: most, bidRateBps: 0, totalRaised: most },
        }),
      );
      return { ...page, rows };
    },
  };
}
