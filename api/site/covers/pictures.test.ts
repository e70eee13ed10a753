import { describe, expect, it } from "vitest";
import { type Image, imageOf } from "../../../config/format/image.ts";
import { appIn, appShowing } from "../../../test/harness/app.ts";
import { jpeg, png, svg } from "../../../test/harness/images.ts";
import { entryDraft, everyState, registryOf } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Registry } from "../../registry/schema.ts";
import { CoverPicture } from "./drawing.tsx";
import { coverOf, logoOf } from "./pictures.ts";

const RULES = { kinds: ["png", "jpg", "webp", "svg"], mostBytes: 500_000 } as const;
const HOSTILE = `"><script>alert('x')</script>\u202e`;
const imageNamed = (bytes: Buffer<ArrayBuffer>) => imageOf(bytes, RULES);
const LISTING = { publicId: "lst_1", title: HOSTILE };
const withCover = (...images: [string, Image][]): Registry => ({
  ...registryOf([entryDraft({ onchainId: "1", cover: "van.png" }), entryDraft({ onchainId: "2" })]),
  images: new Map(images),
});

describe("coverOf", () => {
  it("is the operator's picture, and the pattern of the id without a usable one", () => {
    const image = imageNamed(png(8, 8));
    const registry = withCover(["van.png", image]);
    expect(coverOf(registry, LISTING)).toEqual({
      kind: "image",
      src: `/covers/${image.hash}.png`,
      alt: `Picture of the raise “"><script>alert('x')</script>”`,
      image,
    });
    expect(coverOf(registry, { publicId: "lst_2", title: "T" })).toEqual({ kind: "pattern", id: "lst_2" });
    expect(coverOf(withCover(), LISTING)).toEqual({ kind: "pattern", id: "lst_1" });
  });

  it("is drawn as decoration, with nothing of the operator's texts", () => {
    const drawn = String(
      CoverPicture({ cover: coverOf(withCover(["van.png", imageNamed(png(8, 6))]), LISTING) }),
    );
    expect(drawn).toMatch(
      /^<img class="cover" src="\/covers\/[0-9a-f]{16}\.png" alt="" width="8" height="6" /,
    );
    expect(String(CoverPicture({ cover: coverOf(withCover(), LISTING) }))).toMatch(/^<svg class="cover /);
  });
});

describe("logoOf", () => {
  it("is the operator's, or none", () => {
    const business = { publicId: "org_a", legalName: "A Ltd" };
    const draft = { ...business, jurisdiction: "SG" as const, kybStatus: "approved" as const, addresses: [] };
    const image = imageNamed(svg());
    const registry = {
      ...registryOf([], [{ ...draft, logo: "a.svg" }]),
      images: new Map([["a.svg", image]]),
    };
    expect(logoOf(registry, business)).toMatchObject({
      src: `/covers/${image.hash}.svg`,
      alt: "Logo of A Ltd",
    });
    expect(logoOf(registryOf([], [draft]), business)).toBeNull();
  });
});

describe("the file of a picture", () => {
  const showing = async (...bytes: Buffer<ArrayBuffer>[]) => {
    const images = new Map(bytes.map((one, index) => [`${index}`, imageNamed(one)]));
    const snapshot = await snapshotOf(tablesOf(), { ...everyState().registry, images });
    const { app, show } = await appShowing();
    show(snapshot);
    const paths = [...images.values()].map(({ hash, kind }) => `/covers/${hash}.${kind}`);
    return { app, show, snapshot, paths, path: paths[0] ?? "" };
  };

  it("has its own bytes, the type that they are, and headers that let it do nothing", async () => {
    const files = [png(8, 8, 5_000), jpeg(8, 8), svg()];
    const { app, paths } = await showing(...files);
    const types = ["image/png", "image/jpeg", "image/svg+xml"];
    for (const [index, path] of paths.entries()) {
      const answer = await app.request(path, { headers: { "Accept-Encoding": "br, gzip" } });
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(files[index]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": types[index],
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      });
      expect(answer.headers.get("content-encoding")).toBeNull();
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|img-src|connect-src|font-src/);
      const etag = answer.headers.get("etag") ?? "";
      expect((await app.request(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
    }
  });

  it("takes only reads", async () => {
    const { app, path } = await showing(png(8, 8));
    expect((await app.request(path, { method: "HEAD" })).status).toBe(200);
    expect((await app.request(path, { method: "POST" })).status).toBe(405);
  });

  it("ends with the registry that names it, and there is nothing else", async () => {
    const { app, show, snapshot, path } = await showing(png(8, 8));
    for (const other of [
      "/covers/x.png",
      "/covers/",
      "/covers",
      "/covers/..%2fregistry.json",
      `${path}.map`,
    ]) {
      expect((await app.request(other)).status).toBe(404);
    }
    show({ ...snapshot, registry: everyState().registry });
    expect((await app.request(path)).status).toBe(404);
    show(null);
    expect((await app.request(path)).status).toBe(404);
    expect((await (await appIn()).request(path)).status).toBe(404);
  });
});
