import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../harness/app.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";
import { runNode } from "./run-node.ts";

const CLI = import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js");

/** The inspector's message on its own store of secrets when it reads a file of servers. */
const OWN_NOTE =
  "[mcp-inspector] Secrets are not written anywhere and are lost on exit.\n[mcp-inspector] How the secret store is chosen, and how to secure it: https://github.com/modelcontextprotocol/inspector/blob/main/docs/secret-storage.md\n";
/** The exit code for a tool's answer that is an error. */
const TOOL_ERROR = 5;

const CALLS: readonly [tool: string, args: readonly string[], facts: object][] = [
  ["list_deals", ['status=["funding"]', "limit=2"], { deals: [{ publicId: "lst_2" }], total: 1 }],
  ["get_deal", ["id=RB00003"], { deal: { publicId: "lst_3", refnum: "RB00003" }, descriptionCut: false }],
  ["list_businesses", ['grade=["B"]'], { businesses: [{ publicId: "org_northwind" }], nextCursor: null }],
  ["search_knowledge", ["query=refund", "limit=1"], { hits: [{ kind: "knowledge" }] }],
];

let served: ServedApp;
const home = temporaryFolder();
beforeAll(async () => {
  served = await serveApp(await appIn());
  const server = { type: "streamable-http", url: `${served.url}/mcp`, protocolEra: "modern" };
  await writeFile(join(home, "servers.json"), JSON.stringify({ mcpServers: { raisebook: server } }));
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

const ERAS = [
  {
    era: "by its address",
    revision: "2025-11-25",
    target: () => [`${served.url}/mcp`, "--transport", "http"],
  },
  {
    era: "of the newest revision, by a file of servers",
    revision: "2026-07-28",
    target: () => ["--config", join(home, "servers.json"), "--server", "raisebook"],
  },
];

describe.each(ERAS)("the inspector's command line, a server $era", ({ target, revision }) => {
  const inspect = async (...args: string[]) => {
    const all = ["--cli", ...target(), ...args, "--format", "json"];
    const { code, stdout, stderr } = await runNode(CLI, all, home, { MCP_INSPECTOR_SECRET_STORE: "memory" });
    return { code, answer: JSON.parse(stdout), stderr: stderr.replace(OWN_NOTE, "") };
  };

  it("greets", async () => {
    const { code, answer, stderr } = await inspect("--method", "initialize");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(answer.result).toMatchObject({
      protocolVersion: revision,
      serverInfo: { name: "raisebook" },
      capabilities: { tools: { listChanged: false } },
    });
  });

  it("lists the four tools and finds nothing to say against their schemas", async () => {
    const { code, answer, stderr } = await inspect("--method", "tools/list", "--strict");
    expect(answer.result.tools.map(({ name }: { name: string }) => name)).toEqual(
      CALLS.map(([tool]) => tool),
    );
    expect(answer.schemaFindings ?? []).toEqual([]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it.each(CALLS)("calls %s %j", async (tool, args, facts) => {
    const given = args.flatMap((arg) => ["--tool-arg", arg]);
    const { code, answer, stderr } = await inspect("--method", "tools/call", "--tool-name", tool, ...given);
    expect(answer.result.structuredContent).toMatchObject(facts);
    const { content, structuredContent } = answer.result;
    // Businesses are in lines.
    if (tool === "list_businesses") expect(content[0].text).toContain("org_northwind: Northwind Bakery");
    else expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("says that a raise that there is not is an error of the tool", async () => {
    const call = ["--method", "tools/call", "--tool-name", "get_deal", "--tool-arg", "id=nowhere"];
    const { code, answer, stderr } = await inspect(...call);
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/call list_deals/) }],
    });
    expect(code).toBe(TOOL_ERROR);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "tool_is_error" } });
  });
});
