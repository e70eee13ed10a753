/**
 * The files against the formats as they are published, each with a look at whether its judge says no at all.
 * test/schema/official/README.md says where each schema comes from.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { ConformanceTester } from "lighthouse/third-party/ard/ard.js";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import linkset from "../../test/schema/official/linkset.schema.json" with { type: "json" };
import serverCard from "../../test/schema/official/server-card.schema.json" with { type: "json" };
import skillsIndex from "../../test/schema/official/skills-index.schema.json" with { type: "json" };

const aiCatalog = JSON.parse(
  readFileSync(
    fileURLToPath(import.meta.resolve("lighthouse/third-party/ard/spec/schemas/ai-catalog.schema.json")),
    "utf8",
  ),
);

type Draft = Record<string, unknown>;
/** A change after which a document is not of its format any more. */
type Spoil = (draft: Draft) => void;

const first = (value: unknown) => (value as Draft[])[0] as Draft;

const FORMATS: {
  name: string;
  paths: readonly string[];
  schema: object;
  spoiled: Record<string, Spoil>;
}[] = [
  {
    name: "MCP server card",
    paths: ["/.well-known/mcp/server-card.json", "/v1/mcp/server-card", "/mcp/server-card"],
    schema: serverCard,
    spoiled: {
      "a name without a slash": (card) => {
        card.name = "raisebook";
      },
      "a name with two": (card) => {
        card.name = "a/b/c";
      },
      "a range as its version": (card) => {
        card.version = "^1.0.0";
      },
      "a description of 101 characters": (card) => {
        card.description = "x".repeat(101);
      },
      "another schema": (card) => {
        card.$schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
      },
      "tools in it": (card) => {
        card.tools = [];
      },
      "a transport that there is not": (card) => {
        first(card.remotes).type = "stdio";
      },
    },
  },
  {
    name: "AI Catalog and ARD",
    paths: ["/.well-known/ai-catalog.json", "/.well-known/ard.json"],
    schema: aiCatalog,
    spoiled: {
      "a member more at the root": (catalog) => {
        catalog.extensions = {};
      },
      "another version": (catalog) => {
        catalog.specVersion = "0.9";
      },
      "a host without a name": (catalog) => {
        catalog.host = {};
      },
      "one query alone": (catalog) => {
        first(catalog.entries).representativeQueries = ["one"];
      },
      "an entry with address and data": (catalog) => {
        first(catalog.entries).data = {};
      },
      "an identifier that is none": (catalog) => {
        first(catalog.entries).identifier = "raisebook";
      },
    },
  },
  {
    name: "linkset",
    paths: ["/.well-known/api-catalog"],
    schema: linkset,
    spoiled: {
      "a member beside the linkset": (catalog) => {
        catalog.links = [];
      },
      "a target without an array": (catalog) => {
        first(catalog.linkset).item = { href: "https://raises.example/" };
      },
      "a target without an address": (catalog) => {
        first(catalog.linkset).item = [{ type: "text/html" }];
      },
      "a relation in the target": (catalog) => {
        first(catalog.linkset).item = [{ rel: "item", href: "https://raises.example/" }];
      },
      "a relation that cannot be one": (catalog) => {
        first(catalog.linkset)["Service Doc"] = [{ href: "https://raises.example/" }];
      },
      "a type that is none": (catalog) => {
        first(catalog.linkset).item = [{ href: "https://raises.example/", type: "json" }];
      },
    },
  },
  {
    name: "Agent Skills discovery",
    paths: ["/.well-known/agent-skills/index.json"],
    schema: skillsIndex,
    spoiled: {
      "no schema": (index) => {
        delete index.$schema;
      },
      "a digest in capitals": (index) => {
        first(index.skills).digest = `sha256:${"A".repeat(64)}`;
      },
      "a name with two hyphens in a row": (index) => {
        first(index.skills).name = "a--b";
      },
      "a description that is too long": (index) => {
        first(index.skills).description = "x".repeat(1_025);
      },
      "no type": (index) => {
        delete first(index.skills).type;
      },
    },
  },
];

const PUBLIC_URLS = [
  "https://raises.example",
  "http://127.0.0.1:4000",
  "http://[::1]:4000",
  "https://xn--mnchen-3ya.example",
];

describe.each(FORMATS)("$name", ({ paths, schema, spoiled }) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  const errorsOf = (document: unknown) => (validate(document) ? [] : validate.errors);
  const served = async (path: string, publicUrl?: string): Promise<Draft> =>
    JSON.parse((await asking(await appIn(publicUrl === undefined ? {} : { publicUrl }))(path)).text);

  it.each(PUBLIC_URLS)("is what is served at %s", async (publicUrl) => {
    for (const path of paths) expect(errorsOf(await served(path, publicUrl)), path).toEqual([]);
  });

  it.each(Object.keys(spoiled))("would be refused with %s", async (what) => {
    const draft = await served(paths[0] ?? "");
    spoiled[what]?.(draft);
    expect(errorsOf(draft)).not.toEqual([]);
  });
});

describe("the conformance tester of ARD", () => {
  const judge = (text: string) => {
    const tester = new ConformanceTester();
    tester.validate_manifest(text, "/.well-known/ard.json");
    return { errors: tester.errors, warnings: tester.warnings };
  };

  it.each(PUBLIC_URLS)("reports nothing at %s", async (publicUrl) => {
    const ask = asking(await appIn({ publicUrl }));
    for (const path of ["/.well-known/ard.json", "/.well-known/ai-catalog.json"]) {
      expect(judge((await ask(path)).text)).toEqual({ errors: [], warnings: [] });
    }
  });

  it("reports an entry without queries", async () => {
    const { entries, ...rest } = JSON.parse((await asking(await appIn())("/.well-known/ard.json")).text);
    const { representativeQueries: _, ...entry } = entries[0];
    expect(judge(JSON.stringify({ ...rest, entries: [entry] })).warnings).not.toEqual([]);
  });
});
