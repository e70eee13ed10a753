/** @module Unpacks the browser once for all: with the letters and the libraries that a bare machine lacks. */
import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKED = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/raisebook/", import.meta.url));
const PARTS = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];

/** The package unpacks into the system's temporary folder: in a process of its own, so that this may be another one. */
const UNPACK = `
  import { inflate } from "@sparticuz/chromium";
  await Promise.all(process.argv.slice(1).map((part) => inflate(part)));
`;

export type UnpackedChromium = {
  executable: string;
  /** what the process of the browser needs besides the usual */
  env: { FONTCONFIG_FILE: string; LD_LIBRARY_PATH: string };
};

/**
 * The path of the browser. The first caller unpacks it, within seconds. Of two at once, one works in vain, and neither
 * ever sees half a browser.
 */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const { version } = JSON.parse(await readFile(join(PACKED, "package.json"), "utf8")) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) await unpackTo(folder);
  return {
    executable: join(folder, "chromium"),
    env: {
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
    },
  };
}

async function unpackTo(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const half = await mkdtemp(`${folder}-`);
  const parts = PARTS.map((part) => join(PACKED, "bin", part));
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK, ...parts], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: half },
  });
  await writeFile(join(half, "fonts.conf"), fontsOf(folder));
  await rename(half, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(half, { recursive: true, force: true });
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
}

/** The system's letters where it has any, and the package's. Only the system knows which of its own are monospaced. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}
