/**
 * Every snippet of the documents that is about the demo, pasted as it is written there: only the ports are other ones. They come
 * last, as one of them moves the chain's clock.
 * @module
 */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { CLIENT_KINDS } from "../../conformance/sdk-clients.ts";
import { ROOT, readDocuments, type Snippet } from "../../harness/documents/document.ts";
import { missingFrom, placeOf, reasonOf, shellOf, transcriptOf } from "../../harness/documents/places.ts";
import { temporaryFolder } from "../../harness/ending.ts";
import { paste, typeProblems, writeSnippet } from "../../harness/paste.ts";
import { demo, place } from "./demo.ts";

const snippets = readDocuments()
  .flatMap((document) => document.snippets)
  .filter((snippet) => placeOf(snippet) === "demo");

/** Somebody's folder, in which the client is installed. */
const home = temporaryFolder();

/** With the ports of this demo in place of its usual ones. */
function here(text: string): string {
  const { port, rpcPort, appPort } = place;
  const ports: Record<string, number> = { 42069: port, 42070: port + 1, 42071: appPort, 8545: rpcPort };
  return text.replaceAll(/(?<=\b127\.0\.0\.1:)\d+/g, (one) => `${ports[one] ?? one}`);
}

const pasteHere = (text: string) => paste(here(text), { cwd: ROOT, home, curlOptions: "--fail-with-body" });

const CHECKS: Record<string, (snippet: Snippet) => Promise<void>> = {
  async sh({ text }) {
    expect((await pasteHere(text)).length).toBeGreaterThan(5);
  },

  async text(snippet) {
    for (const { command, printed } of transcriptOf(snippet.text)) {
      const isDemo = shellOf({ ...snippet, text: `$ ${command}` }).some((one) => reasonOf(one) !== null);
      const found = isDemo ? demo.said() : await pasteHere(command);
      expect(missingFrom(found, here(printed)), command).toEqual([]);
    }
  },

  async ts({ text, at }) {
    await pasteHere(`cd "${home}" && ${await installation()}`);
    const file = await writeSnippet(home, at.replaceAll(/\W/g, "-"), here(text));
    expect(await typeProblems([file], home)).toBe("");
    expect((await paste(`node "${file}"`, { cwd: home, home })).length).toBeGreaterThan(5);
  },

  async json({ text }) {
    const [server] = Object.values<{ url: string }>(JSON.parse(here(text)).mcpServers);
    const client = await CLIENT_KINDS[0]?.connect(server?.url ?? "");
    expect(await client?.listTools()).toContain("list_deals");
    await client?.close();
  },

  async yaml({ text }) {
    type Job = { metrics_path: string; static_configs: { targets: string[] }[] };
    const jobs: Job[] = parse(here(text)).scrape_configs;
    for (const { metrics_path, static_configs } of jobs) {
      for (const target of static_configs.flatMap(({ targets }) => targets)) {
        const answer = await fetch(`http://${target}${metrics_path}`);
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("# TYPE")]);
      }
    }
  },
};

/** The README's own command that installs the client. */
async function installation(): Promise<string> {
  const readme = readDocuments().find(({ path }) => path === "README.md");
  return readme?.spans.find((span) => /^npm install http/.test(span)) ?? "false";
}

describe("the snippets of the documents", () => {
  test("are of kinds that can be tried", () => {
    expect(snippets.length).toBeGreaterThan(10);
    expect(snippets.filter(({ language }) => !Object.hasOwn(CHECKS, language)).map(({ at }) => at)).toEqual(
      [],
    );
  });

  test.each(snippets.map((snippet) => [snippet.at, snippet] as const))("%s", async (_, snippet) => {
    await CHECKS[snippet.language]?.(snippet);
  });
});
