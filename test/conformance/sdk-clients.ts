/** @module The official client libraries of both generations, each in every mode it has, behind one face. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export type Result = {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

export type Connected = {
  /** the revision that client and server agreed on */
  revision: string | undefined;
  serverName: string | undefined;
  instructions: string | undefined;
  /** what the client reported outside of any call */
  errors: readonly Error[];
  listTools(): Promise<string[]>;
  /** Rejects with a `code` when the protocol refuses the call. Facts that break the tool's schema reject too. */
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  close(): Promise<void>;
};

export type ClientKind = {
  name: string;
  revision: string;
  /** whether it asks for an event stream once it is connected */
  asksForStream: boolean;
  connect(url: string): Promise<Connected>;
};

const IDENTITY = { name: "raisebook-tests", version: "1.0.0" };

/** The methods that both generations have under the same names. */
const connected = (
  client: Client | OldClient,
  errors: readonly Error[],
  revision: string | undefined,
): Connected => ({
  revision,
  serverName: client.getServerVersion()?.name,
  instructions: client.getInstructions(),
  errors,
  listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
  close: () => client.close(),
});

async function connectOld(url: string): Promise<Connected> {
  const errors: Error[] = [];
  const client = new OldClient(IDENTITY);
  client.onerror = (error) => errors.push(error);
  const transport = new OldTransport(new URL(url));
  await client.connect(transport);
  return connected(client, errors, transport.protocolVersion);
}

type Mode = "legacy" | "auto" | { pin: string } | undefined;

async function connectNew(url: string, mode: Mode): Promise<Connected> {
  const errors: Error[] = [];
  const client = new Client(IDENTITY, mode === undefined ? {} : { versionNegotiation: { mode } });
  client.onerror = (error) => errors.push(error);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return connected(client, errors, client.getNegotiatedProtocolVersion());
}

const newKind = (name: string, mode: Mode, revision: string): ClientKind => ({
  name: `the 2.x client, ${name}`,
  revision,
  asksForStream: revision < "2026",
  connect: (url) => connectNew(url, mode),
});

export const CLIENT_KINDS: readonly ClientKind[] = [
  { name: "the 1.x client", revision: "2025-11-25", asksForStream: true, connect: connectOld },
  newKind("as it is by default", undefined, "2025-11-25"),
  newKind("told to speak the old revisions", "legacy", "2025-11-25"),
  newKind("told to find out", "auto", "2026-07-28"),
  newKind("pinned to the newest revision", { pin: "2026-07-28" }, "2026-07-28"),
];
