import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { type Ask, asking } from "../../../test/harness/asking.ts";
import { FIRST, memorySource, type WrittenFolder, writtenFolder } from "../../../test/harness/data-source.ts";
import { withoutPast } from "../../../test/harness/snapshot.ts";
import { openFolder } from "../../data/folder.ts";

let data: WrittenFolder;
let app: Awaited<ReturnType<typeof appIn>>;
let ask: Ask;
let path: string;
let bytes: Buffer;
beforeAll(async () => {
  data = await writtenFolder(memorySource({ licence: "CC-BY-4.0" }).source);
  app = await appIn({ overrides: { data: data.folder } });
  ask = asking(app);
  path = `/data/${data.manifest.tables.ledger.files[0]?.path}`;
  bytes = await readFile(join(data.folder.path, path.slice("/data/".length)));
});
afterAll(() => data[Symbol.asyncDispose]());

const get = async (headers: Record<string, string> = {}, method = "GET") => {
  const answer = await app.request(path, { headers, method });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
};

describe("a file", () => {
  it("is sent whole, for good, with a strong tag, to HEAD without its bytes", async () => {
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers.get("Content-Type")).toBe("application/vnd.apache.parquet");
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("Accept-Ranges")).toBe("bytes");
    expect(headers.get("ETag")).toBe(`"${data.manifest.tables.ledger.files[0]?.sha256.slice(0, 12)}"`);
    const head = await get({}, "HEAD");
    expect(head.body.length).toBe(0);
    expect(head.headers.get("Content-Length")).toBe(`${bytes.length}`);
    // Ranges are for GET alone.
    const part = await get({ Range: "bytes=0-3" }, "HEAD");
    expect([part.status, part.headers.get("Content-Length")]).toEqual([200, `${bytes.length}`]);
    const again = await get({ "If-None-Match": headers.get("ETag") ?? "" });
    expect([again.status, again.headers.get("Content-Type")]).toEqual([
      304,
      "application/vnd.apache.parquet",
    ]);
    expect((await get({}, "POST")).status).toBe(405);
  });

  it.each([
    ["bytes=0-3", 0, 4],
    ["bytes=4-", 4, undefined],
    ["bytes=-8", -8, undefined],
    ["bytes=-99999999", 0, undefined],
    ["bytes=10-99999999", 10, undefined],
  ] as const)("is sent in part for %s", async (range, start, end) => {
    const { status, headers, body } = await get({ Range: range });
    expect(status).toBe(206);
    expect(body.equals(bytes.subarray(start, end))).toBe(true);
    const first = start < 0 ? bytes.length + start : start;
    expect(headers.get("Content-Range")).toBe(`bytes ${first}-${first + body.length - 1}/${bytes.length}`);
    expect(headers.get("Content-Length")).toBe(`${body.length}`);
  });

  it.each([
    ["another unit", { Range: "rows=0-3" }],
    ["several ranges", { Range: "bytes=0-3,8-9" }],
    ["a range that ends before it begins", { Range: "bytes=9-3" }],
    ["no range", { Range: "bytes=-" }],
    ["a range of another file", { Range: "bytes=0-3", "If-Range": '"0123456789ab"' }],
    ["a range as of a weak tag", { Range: "bytes=0-3", "If-Range": 'W/"x"' }],
  ])("is sent whole for %s", async (_, headers) => {
    const { status, body } = await get(headers);
    expect([status, body.length]).toEqual([200, bytes.length]);
  });

  it("is sent in part to a client that has the rest of it", async () => {
    const etag = (await get()).headers.get("ETag") ?? "";
    expect((await get({ Range: "bytes=0-3", "If-Range": etag })).status).toBe(206);
  });

  it.each(["bytes=99999999-", "bytes=-0"])("has no range %s", async (range) => {
    const { status, headers, body } = await get({ Range: range });
    expect(status).toBe(416);
    expect(headers.get("Content-Range")).toBe(`bytes */${bytes.length}`);
    expect(JSON.parse(body.toString())).toMatchObject({ code: "range_not_satisfiable", status: 416 });
  });

  it.each([
    "/data/ledger/48000000-48000009-000000000000.parquet",
    "/data/ledger/..%2Fmanifest.json",
    "/data/ledger/..%2F..%2F..%2Fetc%2Fpasswd",
    "/data/written/written.json",
    "/data/ledger/written.json",
  ])("is nothing else of the disk: %s", async (other) => {
    const { status, text } = await ask(other);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: "not_found" });
  });
});

describe("the manifest", () => {
  it("is what was written, for a minute", async () => {
    const { headers, text } = await ask("/data/manifest.json");
    expect(JSON.parse(text)).toEqual(data.manifest);
    expect(headers.get("Cache-Control")).toBe("public, max-age=60");
    const again = await ask("/data/manifest.json", {
      headers: { "If-None-Match": headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    ["no file is complete", openFolder("/nowhere/at/all"), "No file is complete yet; try again later."],
    ["none are published", null, "This service publishes no files."],
  ])("is missing while %s", async (_, folder, detail) => {
    const other = asking(await appIn({ overrides: { data: folder } }));
    const { status, text } = await other("/data/manifest.json");
    expect([status, JSON.parse(text).detail]).toEqual([404, detail]);
    const page = await other("/data.md");
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("Up to block");
    expect(page.text).toContain("Columns of ledger");
  });
});

describe("of a market that is too large to be written next to answers", () => {
  const words = "The market has more than 200,000 raises";

  it("the manifest and the page say who writes the files", async () => {
    const { snapshot } = memorySource();
    const none = asking(
      await appIn({ snapshot: withoutPast(snapshot), overrides: { data: openFolder("/nowhere") } }),
    );
    const { status, text } = await none("/data/manifest.json");
    expect([status, JSON.parse(text).detail]).toEqual([404, expect.stringContaining(words)]);
    expect((await none("/data.md")).text).toContain(words);
    const some = asking(await appIn({ snapshot: withoutPast(snapshot), overrides: { data: data.folder } }));
    const page = (await some("/data.md")).text;
    expect(page).toContain(words);
    expect(page).toContain("Up to block");
    expect((await ask("/data.md")).text).not.toContain(words);
  });
});

describe("the page", () => {
  it("has the figures of the manifest, its files and the legend, in both forms", async () => {
    const markdown = (await ask("/data.md")).text;
    const html = (await ask("/data", { headers: { Accept: "text/html" } })).text;
    for (const page of [markdown, html]) {
      expect(page).toContain(`${FIRST + 39n}`);
      expect(page).toContain("https://spdx.org/licenses/CC-BY-4.0.html");
      expect(page).toContain(data.manifest.root);
      expect(page).toMatch(/\bhref="\/statistics"|\]\(https:\/\/raises\.example\/statistics/);
      for (const { path } of data.manifest.tables.ledger.files) expect(page).toContain(`/data/${path}`);
      for (const { columns } of Object.values(data.manifest.tables))
        for (const { name } of columns) expect(page).toContain(name);
    }
  });

  it("says what may be done with the files when no licence is granted", async () => {
    await using unlicensed = await writtenFolder();
    const { text } = await asking(await appIn({ overrides: { data: unlicensed.folder } }))("/data.md");
    expect(text).toContain("none granted");
    expect(text).toContain("Ask before you publish them.");
  });
});
