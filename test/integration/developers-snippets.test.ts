/**
 * Every snippet of the developers' page, taken from the page as it is served and run as it is pasted: in a folder
 * in which the client was installed from the service, without a registry.
 */
import { execFile, spawnSync } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerQueries } from "../../api/ledger/read.ts";
import { serveAtOwnUrl } from "../browser/site.ts";
import { CLIENT_KINDS } from "../conformance/sdk-clients.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { recordedLedger } from "../harness/fixed-ledger.ts";
import { PATIENCE, paste as pasteIn, typeProblems, writeSnippet } from "../harness/paste.ts";
import { entryDraft, registryOf, subscribedRow } from "../harness/rows.ts";
import type { ServedApp } from "../harness/serve-app.ts";
import { snapshotOf, tablesOf } from "../harness/snapshot.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const TOOLS = ["list_deals", "get_deal", "list_businesses", "search_knowledge"];

type Pasted = { label: string; language: string; text: string; isOfTabs: boolean };

/** Those that the recorded requests name. */
const RAISES = [
  entryDraft({ onchainId: "2" }),
  entryDraft({ onchainId: "4", publicId: "lst_bakery" }),
  entryDraft({ onchainId: "3", publicId: "lst_bluewater_kelp", originator: "org_bluewater" }),
];
const BUSINESSES = ["org_northwind", "org_bluewater"].map((publicId) => ({
  publicId,
  legalName: publicId,
  jurisdiction: "SG",
  kybStatus: "approved" as const,
  addresses: [],
}));
const ledger = recordedLedger();
/** A payment of a contract that does not tell principal and interest apart. */
const REPAID = subscribedRow({
  kind: "repaid",
  args: { payer: null, principal: null, interest: null, outstandingPrincipal: null, amount: "250" },
});
/** Has a repayment wherever repayments alone are asked for, and an event wherever one is looked for by its place, as for a proof. */
const reader: LedgerQueries = {
  ...ledger.reader,
  async ofListings(listings, query) {
    const page = await ledger.reader.ofListings(listings, query);
    const { since, before, kinds } = query;
    if (typeof page === "string") return page;
    if (kinds?.size === 1 && kinds.has("repaid")) return { ...page, rows: [REPAID] };
    if (since === null || before === null || !("block" in since)) return page;
    const part = (before.part ?? 0) - 1;
    return { ...page, rows: [subscribedRow({ blockNumber: since.block, logIndex: before.logIndex, part })] };
  },
};
let served: ServedApp;
const home = temporaryFolder();
let snippets: Pasted[];

beforeAll(async () => {
  const snapshot = await snapshotOf(tablesOf(), registryOf(RAISES, BUSINESSES));
  served = await serveAtOwnUrl({ snapshot, overrides: { ledger: reader } });
  const page = await fetch(`${served.url}/developers`, { headers: { Accept: "text/html" } });
  expect(page.status).toBe(200);
  const { document } = parseHTML(await page.text());
  snippets = [...document.querySelectorAll("figure")].flatMap((figure) => {
    const code = figure.querySelector("pre[data-copy]");
    if (code === null) return [];
    return [
      {
        label: figure.querySelector("figcaption")?.textContent ?? figure.getAttribute("aria-label") ?? "",
        isOfTabs: figure.matches(".tab"),
        language: code.getAttribute("data-language") ?? "",
        text: code.textContent ?? "",
      },
    ];
  });
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

const paste = (text: string, cwd = home, curlOptions = "") =>
  pasteIn(text, { cwd, home, curlOptions, env: { MCP_INSPECTOR_SECRET_STORE: "memory" } });

const CHECKS: Record<string, (text: string) => Promise<void>> = {
  async "Install the client"(text) {
    await paste(text);
    expect((await readdir(join(home, "node_modules"))).filter((name) => !name.startsWith("."))).toEqual([
      "@raisebook",
    ]);
    const { dependencies } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
    expect(Object.keys(dependencies)).toEqual(["@raisebook/client"]);
    // The lockfile has the digest: a second installation is of the same bytes.
    await rm(join(home, "node_modules"), { recursive: true });
    await paste("npm ci --cache other-cache");
  },

  async HTML(text) {
    const [, url = ""] = /src="([^"]+)"/.exec(text) ?? [];
    const answer = await fetch(url.replace("{publicId}", "lst_2"));
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  },

  async "Every repayment, page by page"(text) {
    await writeFile(join(home, "repayments.mjs"), text);
    expect(await paste(`"${process.execPath}" repayments.mjs`)).toBe("lst_2 250\n");
    expect(ledger.asked.events.at(-1)).toMatchObject({ kinds: new Set(["repaid"]), limit: 200 });
    expect(served.requests.at(-1)?.headers["user-agent"]).toBe("my-agent/1.0");
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

  async "A query"(text) {
    const answer = await fetch(`${served.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: text }),
    });
    const { data, errors } = await answer.json();
    expect(errors).toBeUndefined();
    expect(data.listings).toMatchObject({ totalCount: 1, nodes: [{ title: "Raise 2" }] });
  },

  async "Types with GraphQL Code Generator: codegen.ts"(text) {
    await writeFile(join(home, "codegen.mjs"), text);
    const { default: config } = await import(join(home, "codegen.mjs"));
    const introspection = await fetch(config.schema, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: "{ __schema { types { name kind } } }" }),
    });
    const { data } = await introspection.json();
    const own = data.__schema.types
      .filter(({ kind }: { kind: string }) => kind === "SCALAR")
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => !["String", "Int", "Float", "Boolean", "ID"].includes(name));
    expect(Object.keys(config.generates["src/graphql.ts"].config.scalars).sort()).toEqual(own.sort());
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
};

/** The tabs of a language: a first request and one of each operation, and for curl of each file and page. */
const inTabs = (language: string) => snippets.filter((one) => one.isOfTabs && one.language === language);

describe("what the developers' page has to paste", () => {
  it("is what is tried here, on the page and in its Markdown", async () => {
    const labels = snippets.filter(({ isOfTabs }) => !isOfTabs).map(({ label }) => label);
    expect(labels.sort()).toEqual(Object.keys(CHECKS).sort());
    const languages = new Set(snippets.filter(({ isOfTabs }) => isOfTabs).map(({ language }) => language));
    expect([...languages].sort()).toEqual(["bash", "python", "ts"]);
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

  it("works in curl", async () => {
    const all = inTabs("bash");
    expect(all.length).toBeGreaterThan(20);
    for (const { text } of all)
      expect((await paste(text, home, "--fail-with-body")).length, text).toBeGreaterThan(5);
  });

  it("works in TypeScript, and in plain Node", async () => {
    const all = inTabs("ts");
    expect(all.length).toBeGreaterThan(20);
    const files: string[] = [];
    for (const [index, { text }] of all.entries()) {
      files.push(await writeSnippet(home, `snippet-${index}`, text));
      // There are no types in it to be taken away.
      await writeFile(join(home, `snippet-${index}.mjs`), text);
      expect((await paste(`"${process.execPath}" snippet-${index}.mjs`)).length, text).toBeGreaterThan(5);
    }
    for (const { label, language, text } of snippets.filter(({ isOfTabs }) => !isOfTabs))
      if (language === "ts") files.push(await writeSnippet(home, label.replaceAll(/\W+/g, "-"), text));
    expect(await typeProblems(files, home)).toBe("");
    const wrong = `import { createRaisebookClient } from "@raisebook/client";
await createRaisebookClient({ baseUrl: "" }).get("/listing", {});`;
    expect(await typeProblems([await writeSnippet(home, "wrong", wrong)], home)).toContain('"/listing"');
  });

  it.skipIf(spawnSync("python3", ["--version"]).status !== 0)("works in Python", async () => {
    const all = inTabs("python");
    expect(all.length).toBeGreaterThan(20);
    for (const { text } of all) {
      const printed = await new Promise<string>((resolve, reject) => {
        execFile("python3", ["-c", text], { timeout: PATIENCE }, (error, stdout) =>
          error === null ? resolve(stdout) : reject(error),
        );
      });
      expect(printed.length, text).toBeGreaterThan(5);
    }
  });

  it("is the same package from every process, and is kept for good", async () => {
    const url = /http\S+\.tgz/.exec(
      snippets.find(({ label }) => label === "Install the client")?.text ?? "",
    )?.[0];
    const other = await serveAtOwnUrl({});
    try {
      const answers = await Promise.all(
        [url ?? "", `${other.url}${new URL(url ?? "").pathname}`].map((address) => fetch(address)),
      );
      const [one, two] = await Promise.all(
        answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())),
      );
      expect(one !== undefined && two?.equals(one)).toBe(true);
      const headers = answers[0]?.headers;
      expect(headers?.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect([headers?.get("content-type"), headers?.get("content-encoding")]).toEqual([
        "application/gzip",
        null,
      ]);
      const again = await fetch(url ?? "", { headers: { "If-None-Match": headers?.get("etag") ?? "" } });
      expect(again.status).toBe(304);
    } finally {
      await other[Symbol.asyncDispose]();
    }
  });
});
