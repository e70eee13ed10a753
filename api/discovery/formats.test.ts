import { createHash } from "node:crypto";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { CLIENT_KINDS } from "../../test/conformance/sdk-clients.ts";
import { REVISIONS } from "../../test/conformance/suite.ts";
import { appIn } from "../../test/harness/app.ts";
import { type Ask, asking } from "../../test/harness/asking.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { parseLinkHeader } from "../../test/harness/web-links.ts";
import schema from "../../test/schema/discovery.schema.json" with { type: "json" };
import { VERSION } from "../version.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTuples: false });
addFormats.default(ajv);
ajv.addSchema(schema);

let ask: Ask;
beforeAll(async () => {
  ask = asking(await appIn({ overrides: { version: VERSION } }));
});
const json = async (path: string) => JSON.parse((await ask(path)).text);

function assertIs(name: keyof (typeof schema)["$defs"], value: unknown): void {
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${name}`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

describe("the server card", () => {
  it("is what its schema says, and has no tools in it", async () => {
    const card = await json("/.well-known/mcp/server-card.json");
    assertIs("serverCard", card);
    expect(card.version).toBe(VERSION);
    expect(card.remotes.map(({ url }: { url: string }) => url)).toEqual(["https://raises.example/v1/mcp"]);
    expect(JSON.stringify(card)).not.toContain("list_deals");
  });

  it.each(["http://[::1]:4000", "http://localhost:1", "https://a.b.c.raises.example"])(
    "is for %s too",
    async (publicUrl) => {
      const elsewhere = asking(await appIn({ publicUrl }));
      assertIs("serverCard", JSON.parse((await elsewhere("/mcp/server-card")).text));
      assertIs("aiCatalog", JSON.parse((await elsewhere("/.well-known/ard.json")).text));
    },
  );

  it("has the same bytes at its three places", async () => {
    const [first, ...others] = await Promise.all(
      ["/.well-known/mcp/server-card.json", "/v1/mcp/server-card", "/mcp/server-card"].map((path) =>
        ask(path),
      ),
    );
    for (const { text, headers } of others) {
      expect(text).toBe(first?.text);
      expect(headers.get("etag")).toBe(first?.headers.get("etag"));
    }
  });

  it("agrees with the server it points to, in every revision it names", async () => {
    const app = await appIn({ overrides: { version: VERSION } });
    const card = JSON.parse((await asking(app)("/mcp/server-card")).text);
    const revisions: string[] = card.remotes[0].supportedProtocolVersions;
    // Those that the official suite is run in, and the library's latest among them.
    expect(revisions).toEqual([...REVISIONS]);
    expect(revisions).toContain(LATEST_PROTOCOL_VERSION);

    await using served = await serveApp(app);
    const spoken = new Set<string | undefined>();
    for (const kind of CLIENT_KINDS) {
      const client = await kind.connect(`${served.url}/v1/mcp`);
      expect(client.serverName).toBe(card.serverInfo.name);
      spoken.add(client.revision);
      await client.close();
    }
    for (const revision of spoken) expect(revisions).toContain(revision);

    const send = async (method: string, params: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${served.url}/v1/mcp`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return JSON.parse(await response.text());
    };
    const clientInfo = { name: "test", version: "1" };
    const handshakes = revisions.filter((revision) => revision < "2026");
    for (const protocolVersion of handshakes) {
      const { result } = await send("initialize", { protocolVersion, capabilities: {}, clientInfo });
      expect(result.protocolVersion).toBe(protocolVersion);
      expect(result.serverInfo).toMatchObject({ ...card.serverInfo, title: card.title });
      expect(result.capabilities).toEqual(card.capabilities);
    }
    const [stateless, ...more] = revisions.filter((revision) => revision >= "2026");
    expect(more).toEqual([]);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": stateless,
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const { result } = await send(
      "server/discover",
      { _meta },
      { "MCP-Protocol-Version": stateless ?? "", "Mcp-Method": "server/discover" },
    );
    expect(result.supportedVersions).toContain(stateless);
    expect(result.capabilities).toEqual(card.capabilities);
  });
});

describe("the manifest", () => {
  it("is what both formats say", async () => {
    assertIs("aiCatalog", await json("/.well-known/ai-catalog.json"));
  });

  it("has the same bytes in both places", async () => {
    const [catalog, ard] = [await ask("/.well-known/ai-catalog.json"), await ask("/.well-known/ard.json")];
    expect(ard.text).toBe(catalog.text);
  });

  it("lists the tools and every skill, each once, on the serving host, and no OpenAPI", async () => {
    const { entries } = await json("/.well-known/ard.json");
    const { skills } = await json("/.well-known/agent-skills/index.json");
    const identifiers = entries.map(({ identifier }: { identifier: string }) => identifier);
    expect(new Set(identifiers).size).toBe(identifiers.length);
    expect(identifiers).toEqual([
      "urn:air:raises.example:mcp:raisebook",
      ...skills.map(({ name }: { name: string }) => `urn:air:raises.example:skill:${name}`),
    ]);
    expect(JSON.stringify(entries)).not.toContain("openapi");
    expect(entries.slice(1).map(({ url }: { url: string }) => url)).toEqual(
      skills.map(({ url }: { url: string }) => url),
    );
  });
});

describe("the API catalog", () => {
  it("is a linkset in which every item has its description, its documentation and its status", async () => {
    const { linkset } = await json("/.well-known/api-catalog");
    assertIs("linkset", { linkset });
    const [catalog, ...apis] = linkset;
    expect(catalog.anchor).toBe("https://raises.example/.well-known/api-catalog");
    expect(catalog.item.map(({ href }: { href: string }) => href)).toEqual(
      apis.map(({ anchor }: { anchor: string }) => anchor),
    );
  });

  it("says what it is and what it has in the Link header, to HEAD too", async () => {
    const { linkset } = await json("/.well-known/api-catalog");
    for (const method of ["GET", "HEAD"]) {
      const { headers } = await ask("/.well-known/api-catalog", { method });
      const links = parseLinkHeader(headers.get("link") ?? "");
      expect(links.filter(({ rel }) => rel === "api-catalog").map(({ href }) => href)).toEqual([
        linkset[0].anchor,
      ]);
      expect(links.filter(({ rel }) => rel === "item").map(({ href }) => href)).toEqual(
        linkset[0].item.map(({ href }: { href: string }) => href),
      );
    }
  });
});

describe("the skills", () => {
  type Skill = { name: string; description: string; url: string; digest: string };
  const skillsNow = async (): Promise<Skill[]> => (await json("/.well-known/agent-skills/index.json")).skills;

  it("have an index as the format says", async () => {
    assertIs("skillIndex", await json("/.well-known/agent-skills/index.json"));
    expect((await skillsNow()).length).toBeGreaterThanOrEqual(3);
  });

  it("have the digest of the bytes of the transfer: nothing compresses them on the way", async () => {
    const app = await appIn();
    for (const { url, digest } of await skillsNow()) {
      const plain = await app.request(url, { headers: { "Accept-Encoding": "identity" } });
      const bytes = Buffer.from(await plain.arrayBuffer());
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(digest);
      for (const encoding of ["br", "gzip"]) {
        const path = new URL(url).pathname;
        const { headers, text } = await asking(app)(path, { headers: { "Accept-Encoding": encoding } });
        expect(headers.get("content-encoding")).toBeNull();
        expect(headers.get("cache-control")).toBe("public, max-age=3600, no-transform");
        expect(`sha256:${createHash("sha256").update(text).digest("hex")}`).toBe(digest);
      }
    }
  });

  it("begin with the frontmatter that the index repeats, in a folder of their name", async () => {
    for (const { name, description, url } of await skillsNow()) {
      const { text } = await ask(new URL(url).pathname);
      const [, yaml = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
      expect(parseDocument(yaml).toJS()).toEqual({ name, description });
      expect(new URL(url).pathname).toBe(`/.well-known/agent-skills/${name}/SKILL.md`);
      expect(body.match(/^# .+$/gm)).toHaveLength(1);
      expect(body.match(/^## .+$/gm)?.length).toBeGreaterThanOrEqual(1);
    }
  });

  it("hold the pages of the knowledge base that they take, word for word", async () => {
    const text = async (name: string) => (await ask(`/.well-known/agent-skills/${name}/SKILL.md`)).text;
    expect(await text("raisebook-compare-raises")).toContain("all backers are refunded in full");
    expect(await text("raisebook-read-the-api")).toContain("If-None-Match");
    expect(await text("raisebook-hand-over-to-sign")).toContain("An agent never needs a private key");
    expect(await text("raisebook-secondary-desk")).toContain("There are only sell offers, no buy orders.");
    expect(await text("raisebook-glossary")).toContain("**Holder**: someone with tokens of a raise now.");
  });

  it("are left out with the pages they are made of", async () => {
    const one = asking(await appIn());
    const { text } = await one("/knowledge");
    expect(text).toContain("/knowledge/signing");
    const none = asking(await appIn({ overrides: { knowledge: { pages: [], pageBySlug: new Map() } } }));
    const index = JSON.parse((await none("/.well-known/agent-skills/index.json")).text);
    expect(index.skills).toEqual([]);
    const gone = await none("/.well-known/agent-skills/raisebook-compare-raises/SKILL.md");
    expect(gone.status).toBe(404);
  });
});
