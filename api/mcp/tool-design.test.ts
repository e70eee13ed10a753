import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appIn, appShowing } from "../../test/harness/app.ts";
import { arbitraryMarket } from "../../test/harness/arbitrary-market.ts";
import { busyLedger, calling } from "../../test/harness/mcp.ts";
import { snapshotOf } from "../../test/harness/snapshot.ts";

type Property = { type?: string; description?: string };
type Schema = { type: string; properties: Record<string, Property>; additionalProperties?: boolean };
type Listed = {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: Record<string, boolean>;
};

const { listTools } = calling(await appIn());
const { tools, length } = await listTools<Listed>();

describe("the list of tools", () => {
  it("has the four tools of the interface document, in a stable order", async () => {
    const names = ["list_deals", "get_deal", "list_businesses", "search_knowledge"];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect((await listTools<Listed>()).tools).toEqual(tools);
  });

  it("is under 7 KB", () => {
    expect(length).toBeLessThan(7 * 1024);
  });

  it("says that a closing time before another may have passed", () => {
    const [deals] = tools;
    expect(deals?.inputSchema.properties.closingBefore?.description).toBe(
      "Closes or closed before this time.",
    );
  });

  describe.each(tools)("$name", ({ name, title, description, inputSchema, outputSchema, annotations }) => {
    it("has a name of at most 30 characters, a title, and a description of 40 to 500", () => {
      expect(name).toMatch(/^[a-z_]{1,30}$/);
      expect(title.length).toBeGreaterThan(3);
      expect(description.length).toBeGreaterThanOrEqual(40);
      expect(description.length).toBeLessThanOrEqual(500);
    });

    it("says that it only reads, and that third parties' texts are untrusted", () => {
      expect(annotations.readOnlyHint).toBe(true);
      expect(description).toMatch(/untrusted third-party text/);
    });

    it("takes a flat object of described arguments and nothing else", () => {
      expect(inputSchema.type).toBe("object");
      expect(inputSchema.additionalProperties).toBe(false);
      expect(Object.keys(inputSchema).filter((key) => /Of$|\$ref/.test(key))).toEqual([]);
      for (const [argument, { type, description: about = "" }] of Object.entries(inputSchema.properties)) {
        expect(argument).toMatch(/^[A-Za-z]{1,30}$/);
        expect(type).toMatch(/^(string|integer|array)$/);
        expect(about.length).toBeGreaterThan(10);
        expect(about.length).toBeLessThanOrEqual(150);
      }
    });

    it("answers with an object", () => {
      expect(outputSchema.type).toBe("object");
      expect(Object.keys(outputSchema.properties).length).toBeGreaterThan(0);
    });
  });
});

describe("answers", () => {
  it("stay under 6,000 characters by default and 80,000 at most, on any market; the text has the same facts", async () => {
    const { app, show } = await appShowing({ ledger: busyLedger(200) });
    const { call } = calling(app);
    const property = fc.asyncProperty(arbitraryMarket(60), async ({ tables, registry }) => {
      const snapshot = await snapshotOf(tables, registry);
      show(snapshot);
      const ids = snapshot.market.listings.map(({ publicId }) => publicId);
      const asked: [string, object, number][] = [
        ["list_deals", {}, 6_000],
        ["list_deals", { limit: 50 }, 80_000],
        ["list_businesses", {}, 6_000],
        ["list_businesses", { limit: 50 }, 80_000],
        ["list_businesses", { since: "1970-01-01T00:00:00Z" }, 6_000],
        ["search_knowledge", { query: "refund" }, 6_000],
        ["search_knowledge", { query: "the raise", limit: 20 }, 80_000],
        ...ids.slice(0, 5).map((id): [string, object, number] => ["get_deal", { id }, 6_000]),
      ];
      for (const [name, args, most] of asked) {
        const { text, structuredContent, isError } = await call(name, args);
        expect(isError).toBe(false);
        expect(text.length, name).toBeLessThanOrEqual(most);
        expect(JSON.stringify(structuredContent).length, name).toBeLessThanOrEqual(most);
        if (name !== "list_businesses") expect(JSON.parse(text)).toEqual(structuredContent);
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });
});
