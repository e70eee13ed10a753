import { assert, integer, property, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { jpeg, png, svg, webp } from "../../test/harness/images.ts";
import { ImageError, imageOf } from "./image.ts";

const RULES = { kinds: ["png", "jpg", "webp", "svg"], mostBytes: 10_000 } as const;

function problemOf(bytes: Buffer<ArrayBuffer>): string {
  try {
    imageOf(bytes, RULES);
    return "none";
  } catch (error) {
    if (error instanceof ImageError) return error.problems.join("; ");
    throw error;
  }
}

describe("imageOf", () => {
  it.each([
    ["png", png(640, 480)],
    ["jpg", jpeg(640, 480)],
    ["webp", webp("VP8 ", 640, 480)],
    ["webp", webp("VP8L", 640, 480)],
    ["webp", webp("VP8X", 640, 480)],
  ])("reads kind and size of a %s", (kind, bytes) => {
    expect(imageOf(bytes, RULES)).toMatchObject({ kind, width: 640, height: 480, bytes });
  });

  it("reads an SVG", () => {
    expect(imageOf(svg("<circle r='1'/>"), RULES)).toMatchObject({ kind: "svg", width: 32, height: 16 });
  });

  it("names each picture by its bytes", () => {
    const hashes = [png(1, 1), png(1, 1), png(1, 2), svg()].map((bytes) => imageOf(bytes, RULES).hash);
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(hashes[1]).toBe(hashes[0]);
    expect(new Set(hashes).size).toBe(3);
  });

  it("takes only the kinds that are allowed", () => {
    expect(() => imageOf(jpeg(1, 1), { kinds: ["png", "svg"], mostBytes: 1000 })).toThrow(
      "is not a PNG or SVG file",
    );
  });

  it.each<[string, Buffer<ArrayBuffer>, string]>([
    ["nothing", Buffer.alloc(0), "is not a PNG, JPEG, WebP or SVG file"],
    ["a page", Buffer.from("<!DOCTYPE html><p>"), "is not a PNG, JPEG, WebP or SVG file"],
    ["a GIF", Buffer.from("GIF89a\x01\x00\x01\x00"), "is not a PNG, JPEG, WebP or SVG file"],
    ["a script", svg("<script>alert(1)</script>"), "has a <script> element"],
    ["a page within a drawing", svg("<foreignObject/>"), "has a <foreignObject> element"],
    ["a reference", svg('<use href="https://evil.example/a.svg#b"/>'), "outside of itself"],
    ["a page with a drawing", Buffer.from(`<html>${svg()}</html>`), "begins with <html>"],
    ["a drawing that is not UTF-8", Buffer.concat([svg(), Buffer.from([0xff])]), "is not in UTF-8"],
    ["a large file", png(1, 1, 10_000), "is larger than 10000 bytes"],
    ["a cut PNG", png(8, 8).subarray(0, 40), "is a PNG file that is not whole"],
    ["a PNG with a page behind it", Buffer.concat([png(8, 8), Buffer.from("<script>")]), "not whole"],
    ["a PNG with an archive behind it", Buffer.concat([png(8, 8), png(8, 8).subarray(-12)]), "not whole"],
    ["a cut JPEG", jpeg(8, 8).subarray(0, -1), "is a JPEG file that is not whole"],
    [
      "a JPEG without a frame",
      Buffer.concat([jpeg(8, 8).subarray(0, 8), jpeg(8, 8).subarray(-14)]),
      "not whole",
    ],
    ["a JPEG with a page behind it", Buffer.concat([jpeg(8, 8), Buffer.from("<script>")]), "not whole"],
    ["a cut WebP", webp("VP8X", 8, 8).subarray(0, -1), "is a WebP file that is not whole"],
    [
      "a WebP with a page behind it",
      Buffer.concat([webp("VP8L", 8, 8), Buffer.from("<script>")]),
      "not whole",
    ],
    ["a PNG that claims a wall", png(65_000, 65_000), "has 65000 by 65000 pixels; 1 to 4096 are allowed"],
    ["a PNG without pixels", png(0, 5), "has 0 by 5 pixels"],
    ["a JPEG that claims a wall", jpeg(65_535, 1), "has 65535 by 1 pixels"],
    ["a WebP that claims a wall", webp("VP8X", 16_777_216, 16_777_216), "has 16777216 by 16777216 pixels"],
  ])("refuses %s", (_, bytes, expected) => {
    expect(problemOf(bytes)).toContain(expected);
  });

  it("says of any bytes what they are not, and never fails otherwise", () => {
    const starts = [png(8, 8), jpeg(8, 8), webp("VP8 ", 8, 8), webp("VP8L", 8, 8), svg("<g/>")];
    const spoilt = property(
      integer({ min: 0, max: starts.length - 1 }),
      integer({ min: 0, max: 80 }),
      uint8Array({ maxLength: 24 }),
      (which, at, noise) => {
        const whole = starts[which] ?? svg();
        const bytes = Buffer.concat([whole.subarray(0, at), noise, whole.subarray(at + noise.length)]);
        expect(typeof problemOf(bytes)).toBe("string");
      },
    );
    assert(spoilt, { numRuns: 1000 });
  });
});
