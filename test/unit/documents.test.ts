/** Every document against the repository: what its commands, options, variables, files and links name is there. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseJsonc } from "@humanwhocodes/momoa";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { readSettings } from "../../config/environment.ts";
import { ledgerKey } from "../../operate/backfill/earlier.ts";
import {
  type Document,
  documentOf,
  ROOT,
  readDocument,
  readDocuments,
} from "../harness/documents/document.ts";
import {
  commandProblems,
  routeProblems,
  spanProblems,
  variableProblems,
} from "../harness/documents/named.ts";
import { isSettings, OPERATOR_DOCUMENTS, PLACES, placeOf, shellOf } from "../harness/documents/places.ts";
import { readRecording, recordedReleases } from "../harness/recorded-release.ts";

const documents = readDocuments();
const snippets = documents.flatMap((one) => one.snippets);
/** The changelog describes the past; its links are checked all the same. */
const present = documents.filter(({ path }) => path !== "CHANGELOG.md");

function namingProblems({ path, spans, snippets }: Document): readonly string[] {
  const inSnippets = snippets.flatMap((snippet) => {
    const settings = isSettings(snippet) ? [...snippet.text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)] : [];
    const problems = [
      ...settings.flatMap(([, name = ""]) => variableProblems(name)),
      ...shellOf(snippet).flatMap(commandProblems),
    ];
    return problems.map((problem) => `${snippet.at}: ${problem}`);
  });
  return [...spans.flatMap((span) => spanProblems(span, path)), ...inSnippets];
}

function linkProblems({ path, anchors, links }: Document): readonly string[] {
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return /^https:\/\/[\w.-]+\.\w+/.test(link) ? [] : [`${link} is not https`];
    const [target = "", anchor] = link.split("#");
    // In the knowledge base a link is one of the site.
    if (target.startsWith("/")) {
      const page = /^\/knowledge\/([\w-]+)$/.exec(target)?.[1];
      if (page === undefined) return routeProblems(target);
      const there = documents.find((one) => one.path === `knowledge/${page}.md`);
      return there !== undefined && (anchor === undefined || there.anchors.has(anchor)) ? [] : [link];
    }
    const file = join(dirname(path), target);
    if (target !== "" && !existsSync(join(ROOT, file))) return [`${link}: there is no such file`];
    if (anchor === undefined) return [];
    const known = target === "" ? anchors : readDocument(file).anchors;
    return known.has(anchor) ? [] : [`${link}: there is no such heading`];
  });
}

describe("the documents name", () => {
  it.each(present.map((document) => [document.path, document] as const))(
    "what is there: %s",
    (_, document) => {
      expect(namingProblems(document)).toEqual([]);
    },
  );

  it.each([
    ["`npm run dmeo`", "package.json has no script dmeo"],
    ["`npm start -- --chekc`", "npm run start has no option --chekc"],
    ["`npm run simulate -- --sed 7`", "npm run simulate has no option --sed"],
    ["`npm starts`", "npm has no starts"],
    ["`npx raisebook stat`", "there is no command raisebook stat"],
    ["`raisebook db status --josn`", "raisebook db status has no option --josn"],
    ["`RAISEBOOK_DIR`", "nothing is called RAISEBOOK_DIR"],
    ["`HOLDER=true`", "nothing reads the variable HOLDER"],
    ["`api/market/stats/`", "there is no api/market/stats/"],
    ["`api/http/*-gone.ts`", "there is no api/http/*-gone.ts"],
    ["`nowhere-at-all.ts`", "there is no file nowhere-at-all.ts"],
    ["`GET /v1/raises`", "the service has no /v1/raises"],
    ["`A webhook target cannot go …`", "nothing says: A webhook target cannot go"],
    ["```sh\nPROT=1 npm start\n```", "x.md:1: nothing reads the variable PROT"],
    ["```sh\n# all\nnpm ci && \\\n  npm run 'dmeo' | cat\n```", "x.md:1: package.json has no script dmeo"],
    ["```sh\ncat < config/nothing.ts\n```", "x.md:1: there is no config/nothing.ts"],
    ["```text\n$ npm run audit -- --jsno\n{}\n```", "x.md:1: npm run audit has no option --jsno"],
    ["```dotenv\n\nESCROW=0x\n```", "x.md:1: nothing reads the variable ESCROW"],
  ])("%j, which is reported", (text, problem) => {
    expect(namingProblems(documentOf("x.md", text))).toEqual([problem]);
  });
});

describe("the changelog", () => {
  it("says whether the history is read from the chain again, after the last recorded release", () => {
    const release = recordedReleases().at(-1) ?? "";
    const recording = readRecording(release);
    const env = { ...recording.followed, RPC_URLS: "http://127.0.0.1:1", REGISTRY: "registry.json" };
    const [since = ""] = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").split(`\n## [${release}]`);
    const isRead = ledgerKey(readSettings(env)) !== recording.ledgerKey;
    expect(since.includes("reads the history from the chain once more")).toBe(isRead);
  });
});

describe("a snippet", () => {
  it("is run by a test, or by none for a reason that is known", () => {
    expect(snippets.length).toBeGreaterThan(30);
    const unknown = snippets.filter((snippet) => placeOf(snippet) === null).map(({ at }) => at);
    expect(unknown, "write the place behind the language: test/harness/documents/places.ts").toEqual([]);
    for (const test of Object.values(PLACES)) expect(existsSync(join(ROOT, test)), test).toBe(true);
    const operators = new Set(
      snippets.filter((one) => placeOf(one) === "operator").map((one) => one.document),
    );
    expect([...operators].toSorted()).toEqual([...OPERATOR_DOCUMENTS].toSorted());
  });

  it.each([
    ["sh", "npm run generate", null],
    ["sh", "npm ci\nnpm run generate", null],
    ["sh", "npm ci && docker compose up", "elsewhere"],
    ["sh demo", "npm run generate", "demo"],
    ["sh deom", "npm ci", null],
    ["sh", "curl -s http://127.0.0.1:42069/v1/stats", "demo"],
    ["text", "a + b", "text"],
    ["text", "$ raisebook --version\n1.0.0", null],
  ])("%s %j has the place %s", (fence, text, place) => {
    const [snippet] = documentOf("x.md", `\`\`\`${fence}\n${text}\n\`\`\``).snippets;
    expect(snippet && placeOf(snippet)).toBe(place);
  });

  it("of data is valid in its language", () => {
    const forms: Record<string, (text: string) => unknown> = {
      json: JSON.parse,
      jsonc: (text) => parseJsonc(text, { mode: "jsonc" }),
      yaml: (text) => parseYaml(text),
    };
    const parsed = snippets.filter(({ language }) => Object.hasOwn(forms, language));
    expect(parsed.length).toBeGreaterThan(1);
    for (const { language, text, at } of parsed) expect(() => forms[language]?.(text), at).not.toThrow();
  });
});

describe("links", () => {
  it.each(documents.filter(({ links }) => links.length > 0).map((one) => [one.path, one] as const))(
    "lead somewhere: %s",
    (_, document) => {
      expect(linkProblems(document)).toEqual([]);
    },
  );

  it.each([
    ["[a](nowhere.md)", "nowhere.md: there is no such file"],
    ["[a](README.md#no-such-thing)", "README.md#no-such-thing: there is no such heading"],
    ["# A `b`\n[a](#a-b), [b](#a--b)", "#a--b: there is no such heading"],
    ["[a](http://example.com/)", "http://example.com/ is not https"],
    ["[a](/v1/nothing)", "the service has no /v1/nothing"],
  ])("that lead nowhere are reported: %j", (text, problem) => {
    expect(linkProblems(documentOf("x.md", text))).toEqual([problem]);
  });
});
