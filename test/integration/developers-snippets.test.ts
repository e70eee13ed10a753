/**
 * Every snippet of the developers' page, taken from the page as it is served and run as somebody pastes it.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveAtOwnUrl } from "../browser/site.ts";
import { runNode } from "../conformance/run-node.ts";
import { CLIENT_KINDS } from "../conformance/sdk-clients.ts";
import { recordedLedger } from "../harness/app.ts";
import type { ServedApp } from "../harness/serve-app.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const TOOLS = ["list_deals", "get_deal", "list_businesses", "search_knowledge"];
/** Milliseconds after which a pasted line counts as one that never ends. */
const PATIENCE = 120_000;

type Pasted = { label: string; language: string; text: string };

const ledger = recordedLedger();
let served: ServedApp;
let home: string;
let snippets: Pasted[];

beforeAll(async () => {
  served = await serveAtOwnUrl({ overrides: { ledger: ledger.reader } });
  home = await mkdtemp(join(tmpdir(), "raisebook-snippets-"));
  await symlink(join(PROJECT, "node_modules"), join(home, "node_modules"));
  const page = await fetch(`${served.url}/developers`, { headers: { Accept: "text/html" } });
  expect(page.status).toBe(200);
  const { document } = parseHTML(await page.text());
  snippets = [...document.querySelectorAll("figure")].flatMap((figure) => {
    const code = figure.querySelector("pre[data-copy]");
    if (code === null) return [];
    return [
      {
        label: figure.querySelector("figcaption")?.textContent ?? "",
        language: code.getAttribute("data-language") ?? "",
        text: code.textContent ?? "",
      },
    ];
  });
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** Pastes into a shell, which ends when a line fails. */
function paste(text: string, cwd = home): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: home,
      NO_COLOR: "1",
      // Nothing is downloaded: what is not installed is not there.
      npm_config_offline: "true",
      MCP_INSPECTOR_SECRET_STORE: "memory",
    };
    const script = `set -euo pipefail\n${text}`;
    execFile("bash", ["-c", script], { cwd, env, timeout: PATIENCE }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}

/** What takes money in the made-up market. */
const OPEN = ["lst_2"];

const CHECKS: Record<string, (text: string) => Promise<void>> = {
  async "The raises that accept money now, closing soonest first"(text) {
    const { listings } = JSON.parse(await paste(text));
    expect(listings.map(({ publicId }: { publicId: string }) => publicId)).toEqual(OPEN);
    expect(served.requests.at(-1)?.headers["user-agent"]).toBe("my-agent/1.0");
  },

  async "The latest repayments"(text) {
    expect(JSON.parse(await paste(text))).toEqual({ events: [], page: { nextCursor: null } });
    expect(ledger.asked.events.at(-1)).toMatchObject({ kinds: new Set(["repaid"]), limit: 5 });
  },

  async "The live raises as a spreadsheet"(text) {
    await paste(text);
    const [header, ...rows] = (await readFile(join(home, "raises.csv"), "utf8")).trim().split("\r\n");
    expect(header).toMatch(/^publicId,refnum,/);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toContain(",live,");
  },

  async "The typed client, from the workspace of the source code"(text) {
    const file = join(home, "client.mts");
    await writeFile(file, text);
    const tsc = new URL("../../node_modules/typescript/bin/tsc", import.meta.url).href;
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions"];
    const target = ["--target", "es2024", "--module", "esnext", "--moduleResolution", "bundler"];
    const all = [...options, ...target, "--types", "node", file];
    expect(await runNode(tsc, all, home)).toMatchObject({ code: 0, stdout: "" });
    const printed = await paste(`"${process.execPath}" --import tsx client.mts`);
    const { listings } = await (await fetch(`${served.url}/v1/listings?status=funding,live`)).json();
    const lines = listings.map(
      ({ refnum, title, raisedAmount }: Record<string, string>) => `${refnum} ${title} ${raisedAmount}n\n`,
    );
    expect(printed).toBe(lines.join(""));
    expect(lines.length).toBeGreaterThan(1);
  },

  async "Settings for an agent or editor that reads mcpServers"(text) {
    const [server, ...more] = Object.values<{ type: string; url: string }>(JSON.parse(text).mcpServers);
    expect([server?.type, more]).toEqual(["http", []]);
    for (const { connect } of CLIENT_KINDS) {
      const client = await connect(server?.url ?? "");
      expect(await client.listTools()).toEqual(TOOLS);
      const { structuredContent } = await client.call("list_deals", { status: ["funding"] });
      expect(structuredContent).toMatchObject({ deals: [{ publicId: "lst_2" }] });
      await client.close();
    }
  },

  async "The official inspector, on the command line"(text) {
    const printed = await paste(text, PROJECT);
    for (const tool of TOOLS) expect(printed).toContain(tool);
  },

  async "A tool call without a client"(text) {
    const { result } = JSON.parse(await paste(text));
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent.deals.map(({ publicId }: { publicId: string }) => publicId)).toEqual(
      OPEN,
    );
    // Only the revision without a handshake says what came of it.
    expect(result.resultType).toBe("complete");
  },

  async "A query"(text) {
    const answer = await fetch(`${served.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: text }),
    });
    const { data, errors } = await answer.json();
    expect(errors).toBeUndefined();
    expect(data.listings).toMatchObject({ totalCount: 1, nodes: [{ refnum: "RB00002" }] });
  },

  async "The same query on the command line"(text) {
    const { data, errors } = JSON.parse(await paste(text));
    expect(errors).toBeUndefined();
    expect(data.listings).toMatchObject({ totalCount: 1, nodes: [{ refnum: "RB00002" }] });
  },

  async "A conditional request: run it twice, and the second response is a 304 as long as nothing has changed"(
    text,
  ) {
    expect(await paste(text)).toBe("200\n");
    const whole = await readFile(join(home, "raises.json"), "utf8");
    expect(JSON.parse(whole).listings.length).toBeGreaterThan(1);
    expect(await paste(text)).toBe("304\n");
    expect(await readFile(join(home, "raises.json"), "utf8")).toBe(whole);
  },

  async "What an error looks like"(text) {
    expect(JSON.parse(await paste(text))).toMatchObject({ status: 404, code: "not_found" });
  },
};

describe("what the developers' page has to paste", () => {
  it("is what is tried here, on the page and in its Markdown", async () => {
    expect(snippets.map(({ label }) => label).sort()).toEqual(Object.keys(CHECKS).sort());
    const markdown = await (await fetch(`${served.url}/md/developers`)).text();
    for (const { language, text } of snippets) {
      expect(markdown).toContain(`\`\`\`${language}\n${text}\n\`\`\``);
    }
  });

  it.each(Object.entries(CHECKS))("%s", async (label, check) => {
    const found = snippets.filter((snippet) => snippet.label === label);
    expect(found).toHaveLength(1);
    await check(found[0]?.text ?? "");
  });
});
