import { mkdir, readFile, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../config/log.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { jpeg, png, svg } from "../../test/harness/images.ts";
import { parseRegistry } from "../../test/harness/parsed-registry.ts";
import { RegistryError } from "./error.ts";
import { loadImages } from "./images.ts";
import { createRegistryStore } from "./store.ts";

let root = "";
let folder = "";
beforeEach(async () => {
  root = temporaryFolder();
  folder = join(root, "registry");
  await mkdir(folder);
});

const A = `0x${"a1".repeat(20)}`;
const originator = {
  publicId: "org_a",
  legalName: "A",
  jurisdiction: "SG",
  kybStatus: "approved",
  addresses: [],
};
const document = (covers: readonly unknown[], logo?: string) => ({
  originators: [{ ...originator, logo }],
  listings: covers.map((cover, index) => ({
    publicId: `lst_${index}`,
    originator: "org_a",
    escrowAddress: A,
    onchainId: String(index + 1),
    title: "T",
    description: "",
    cover,
  })),
});
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const registryOf = (...covers: string[]) => parseRegistry(bytesOf(document(covers)));
const source = () => ({ kind: "file" as const, path: join(folder, "registry.json") });
const save = (name: string, bytes: Buffer) => writeFile(join(folder, name), bytes);
const problemsOf = async (...covers: string[]) =>
  (await loadImages({ source: source(), registry: registryOf(...covers) })).problems;

describe("the name of a picture", () => {
  it.each(["van.png", "images/van.2.webp", "a/b/c.svg", "VAN_1-b"])("may be %s", (name) => {
    expect(registryOf(name).listings.at(0)?.cover).toBe(name);
  });

  it.each([
    "",
    "../van.png",
    "images/../../van.png",
    "./van.png",
    "/etc/passwd",
    "images//van.png",
    "images/",
    ".env",
    "images/.hidden.png",
    "van.png\u0000.svg",
    "van\n.png",
    "..\\van.png",
    "C:\\van.png",
    "https://evil.example/van.png",
    "//evil.example/van.png",
    "data:image/png,",
    "a".repeat(201),
    7,
    null,
  ])("may not be %j", (name) => {
    const parse = () => parseRegistry(bytesOf(document([name])));
    expect(parse).toThrow(RegistryError);
    expect(parse).toThrow(/^listings\[0\]\.cover: not a picture: .*next to the registry file/);
  });
});

describe("loadImages", () => {
  it("takes what the bytes are, whatever the name says", async () => {
    await save("photo.png", jpeg(40, 30));
    await save("drawing", svg());
    const { images, problems } = await loadImages({
      source: source(),
      registry: registryOf("photo.png", "drawing", "photo.png"),
    });
    expect(problems).toEqual([]);
    expect([...images].map(([name, { kind }]) => [name, kind])).toEqual([
      ["photo.png", "jpg"],
      ["drawing", "svg"],
    ]);
  });

  it("reports each picture that cannot be used, and takes the others", async () => {
    await save("good.png", png(4, 4));
    await save("script.svg", svg("<script>alert(1)</script>"));
    await save("huge.png", png(4, 4, 500_000));
    await save("wall.png", png(60_000, 60_000));
    await mkdir(join(folder, "folder.png"));
    const registry = registryOf(
      "missing.png",
      "script.svg",
      "huge.png",
      "wall.png",
      "folder.png",
      "good.png",
    );
    const { images, problems } = await loadImages({ source: source(), registry });
    expect(problems).toEqual([
      "listings[0].cover: does not exist",
      "listings[1].cover: has a <script> element, which is not allowed",
      "listings[2].cover: is larger than 500000 bytes",
      "listings[3].cover: has 60000 by 60000 pixels; 1 to 4096 are allowed",
      "listings[4].cover: is not a file",
    ]);
    expect([...images.keys()]).toEqual(["good.png"]);
  });

  it("follows no link out of the folder, and every one within", async () => {
    await writeFile(join(root, "secret.png"), png(4, 4));
    await mkdir(join(root, "elsewhere"));
    await writeFile(join(root, "elsewhere", "a.png"), png(4, 4));
    await save("real.png", png(5, 5));
    await symlink(join(root, "secret.png"), join(folder, "out.png"));
    await symlink(join(root, "elsewhere"), join(folder, "images"));
    await symlink("real.png", join(folder, "in.png"));
    expect(await problemsOf("out.png", "images/a.png", "in.png")).toEqual([
      "listings[0].cover: is outside of the registry's folder",
      "listings[1].cover: is outside of the registry's folder",
    ]);
  });

  it("keeps no more than fits", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `${index}.png`);
    for (const [index, name] of names.entries()) await save(name, png(4, 1 + index, 499_000));
    const { images, problems } = await loadImages({ source: source(), registry: registryOf(...names) });
    const bytes = [...images.values()].reduce((sum, image) => sum + image.bytes.length, 0);
    expect(bytes).toBeLessThan(64_500_000);
    expect(images.size + problems.length).toBe(150);
    expect(problems[0]).toContain("is beyond the 1000 pictures and 64000000 bytes");
  });

  it("refuses the pictures of a registry that is a URL", async () => {
    const { images, problems } = await loadImages({
      source: { kind: "url", url: "https://raises.example/registry.json" },
      registry: registryOf("van.png"),
    });
    expect(images.size).toBe(0);
    expect(problems).toEqual([
      "listings[0].cover: cannot be loaded: pictures need a registry that is a file or a folder",
    ]);
  });

  it("gives the same pictures for the same files", async () => {
    await save("a.png", png(4, 4));
    const registry = registryOf("a.png", "missing.png");
    const before = await loadImages({ source: source(), registry });
    const again = await loadImages({ source: source(), registry, before });
    expect(again.images).toBe(before.images);
    await save("a.png", png(4, 8));
    const after = await loadImages({ source: source(), registry, before: again });
    expect(after.images.get("a.png")?.height).toBe(8);
  });
});

describe("the store", () => {
  const open = async () => {
    const lines: { msg: string; problem?: string }[] = [];
    const log = createLogger({
      format: "json",
      level: "debug",
      write: (line) => lines.push(JSON.parse(line)),
    });
    const store = await createRegistryStore({
      source: source(),
      log,
      pollInterval: 3_600_000,
    });
    return { store, lines, [Symbol.dispose]: store.stop };
  };
  const write = (value: unknown) => writeFile(source().path, JSON.stringify(value));

  it("follows a file that changes under the same name, without a new document", async () => {
    await save("a.png", png(4, 4));
    await write(document(["a.png"], "a.png"));
    using opened = await open();
    const { store } = opened;
    const [before, version] = [store.current(), store.state().version];
    await store.refresh();
    expect(store.current()).toBe(before);
    await save("a.png", png(4, 9));
    await store.refresh();
    expect(store.current()).not.toBe(before);
    expect(store.current().images.get("a.png")?.height).toBe(9);
    expect(store.state()).toMatchObject({ status: "ok", version, images: 1, imageProblem: null });
  });

  it("stays up without a picture, says where once, and takes it when it comes", async () => {
    await write(document(["a.png", "b.png"]));
    using opened = await open();
    const { store, lines } = opened;
    await store.refresh();
    expect(store.state()).toMatchObject({
      status: "ok",
      problem: null,
      listings: 2,
      images: 0,
      imageProblem: "listings[0].cover (the log says what is wrong), and 1 more",
    });
    expect(lines.map(({ problem }) => problem)).toEqual([
      "listings[0].cover: does not exist",
      "listings[1].cover: does not exist",
    ]);
    await save("a.png", png(4, 4));
    await save("b.png", png(4, 4));
    await store.refresh();
    expect(store.state()).toMatchObject({ images: 2, imageProblem: null });
    await unlink(join(folder, "a.png"));
    await store.refresh();
    expect(store.state()).toMatchObject({
      images: 1,
      imageProblem: "listings[0].cover (the log says what is wrong)",
    });
  });

  it("keeps the pictures of the last good document, and follows them", async () => {
    await save("a.png", png(4, 4));
    await write(document(["a.png"]));
    using opened = await open();
    const { store } = opened;
    await writeFile(source().path, "{");
    await save("a.png", png(4, 7));
    await store.refresh();
    expect(store.state()).toMatchObject({ status: "refused", images: 1 });
    expect(store.current().images.get("a.png")?.height).toBe(7);
    expect(await readFile(source().path, "utf8")).toBe("{");
  });
});
