import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastGoodFile } from "../../api/registry/copy.ts";
import { readSettings } from "../../config/environment.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { DEPLOYMENT, OPERATOR, STRANGER_KEY, signed } from "../../test/harness/signed-registry.ts";
import { checkBrand, checkRegistry } from "./check-files.ts";
import { lastGoodOf } from "./registry-copy.ts";

const folder = temporaryFolder();

const check = (siteLogo: string | null) =>
  checkBrand({ siteName: "Raisebook", siteLogo, siteAccent: "#0f6b74" });

async function problemWithFile(name: string, content: string | Buffer): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  const problems = await check(file);
  for (const { variable, example } of problems) {
    expect(variable).toBe("SITE_LOGO");
    expect(example).toBe("./logo.svg");
  }
  return problems.map(({ problem }) => problem.replace(file, name)).join("\n");
}

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${content}</svg>`;
/** A PNG's frame without its picture, of this many pixels. */
function png(width: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.from("IHDR"),
    header,
    Buffer.from([0, 0, 0, 0]),
    Buffer.from("IEND"),
    Buffer.from([0xae, 0x42, 0x60, 0x82]),
  ]);
}

it("a registry that is not signed as it must be stops the start, by name", async () => {
  const path = join(folder, "registry.json");
  const document = { originators: [], listings: [] };
  const check = async (written: object, registrySigner: typeof OPERATOR | null) => {
    await writeFile(path, JSON.stringify(written));
    const { problems } = await checkRegistry({
      ...{ registry: { kind: "file", path }, registrySigner, publicUrl: DEPLOYMENT, chainId: 97 },
    });
    return problems.map(({ variable, problem }) => [variable, problem.replace(path, "registry.json")]);
  };
  expect(await check(document, null)).toEqual([]);
  expect(await check(await signed(document), OPERATOR)).toEqual([]);
  const missing = `- signature: is missing (REGISTRY_SIGNER is ${OPERATOR})`;
  expect(await check(document, OPERATOR)).toEqual([
    ["REGISTRY", `cannot be used (registry.json):\n    ${missing}`],
  ]);
  expect(await check(await signed(document, 1, STRANGER_KEY), OPERATOR)).toEqual([
    ["REGISTRY", expect.stringContaining(`- signature: is not by REGISTRY_SIGNER, ${OPERATOR}`)],
  ]);
});

describe("checkBrand", () => {
  it("has nothing to say of our own mark and of a good file", async () => {
    expect(await check(null)).toEqual([]);
    expect(await problemWithFile("good.svg", svg('<rect width="8" height="8"/>'))).toBe("");
    expect(await problemWithFile("good.png", png(8))).toBe("");
  });

  it("says everything that is wrong with the drawing", async () => {
    expect(await problemWithFile("bad.svg", svg("<script/><g onload='x'/>"))).toBe(
      "cannot be used (bad.svg):\n    - has a <script> element, which is not allowed\n    - has the event handler onload",
    );
  });

  it.each([
    ["large.svg", svg(`<desc>${"x".repeat(100_000)}</desc>`), "at most 100000 are allowed"],
    ["empty.svg", "", "is not a PNG or SVG file"],
    ["photo.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "is not a PNG or SVG file"],
    ["page.html", "<p>", "is not a PNG or SVG file"],
    ["cut.png", png(8).subarray(0, 30), "not whole"],
    ["wide.png", png(5000), "5000 by 1 pixels; 1 to 4096"],
  ])("refuses %s", async (name, content, expected) => {
    expect(await problemWithFile(name, content)).toContain(expected);
  });

  it("refuses a file that is not there, and a folder", async () => {
    expect((await check(join(folder, "nowhere.svg")))[0]?.problem).toContain("- does not exist");
    expect((await check(folder))[0]?.problem).toContain("- is not a file");
  });
});

it("a bad registry is a warning where an earlier run has kept a good copy, and a problem otherwise", async () => {
  const path = join(folder, "bad.json");
  const dataDirectory = await mkdtemp(join(folder, "data-"));
  const database = { kind: "pglite", dataDirectory, directory: join(dataDirectory, "pglite") } as const;
  const settings = {
    ...readSettings({ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"c0".repeat(20)}@0`, REGISTRY: path }),
    database,
  };
  const lastGood = lastGoodOf(settings, { debug: () => {}, warn: () => {} });
  await writeFile(path, "{ half a docum");
  const first = await checkRegistry(settings, { lastGood });
  expect([first.problems.length, first.warnings, first.document]).toEqual([1, [], null]);
  await lastGood?.write([Buffer.from(JSON.stringify({ originators: [], listings: [] }))]);
  const later = await checkRegistry(settings, { lastGood });
  expect([later.problems, [...(later.document?.listings ?? [1])]]).toEqual([[], []]);
  expect(later.warnings.map(({ warning }) => warning)).toEqual([
    expect.stringMatching(/the document is not JSON[\s\S]*The last good copy is in use until it is fixed\.$/),
  ]);
  expect(await checkRegistry(settings)).toEqual(first);
  expect(await checkRegistry(settings, { lastGood, fallsBack: false })).toEqual(first);
});

it("a signed registry must not be older than the one that was in use", async () => {
  const path = join(folder, "older.json");
  const settings = {
    ...{
      registry: { kind: "file", path } as const,
      registrySigner: OPERATOR,
      publicUrl: DEPLOYMENT,
      chainId: 97,
    },
  };
  const lastGood = lastGoodFile(join(folder, "newer.json"));
  const document = { originators: [], listings: [] };
  const [older, newer] = [await signed(document, 7), await signed(document, 8)];
  await writeFile(path, JSON.stringify(older));
  expect((await checkRegistry(settings, { lastGood })).warnings).toEqual([]);
  await lastGood.write([Buffer.from(JSON.stringify(newer))]);
  const problem = expect.stringContaining("- revision: is 7, and that of the document in use 8");
  const check = await checkRegistry(settings, { lastGood, fallsBack: false });
  expect(check).toMatchObject({ document: null, problems: [{ problem }] });
  const start = await checkRegistry(settings, { lastGood });
  expect(start).toMatchObject({ document: { revision: 8 }, problems: [], warnings: [{ warning: problem }] });
});
