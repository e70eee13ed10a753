/** @module Fetches open data as DuckDB does where it may download its extension for HTTP: each file in pieces, by range. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DataFile } from "../../api/data/manifest.ts";

/**
 * Copies a file into a directory, and compares it with its hash.
 * @param root address of the folder with the manifest, with a slash at its end
 * @param range bytes of a request
 */
export async function fetchByRange(
  root: string,
  copy: string,
  { path, bytes, sha256 }: DataFile,
  range: number,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(bytes / range) }, (_, index) => index * range);
  const pieces = await Promise.all(
    starts.map(async (start) => {
      const headers = {
        Range: `bytes=${start}-${start + range - 1}`,
        "If-Range": `"${sha256.slice(0, 12)}"`,
      };
      const answer = await fetch(root + path, { headers });
      if (answer.status !== 206)
        throw new Error(`${path} is answered with ${answer.status}, not with a part`);
      return Buffer.from(await answer.arrayBuffer());
    }),
  );
  const content = Buffer.concat(pieces);
  const found = createHash("sha256").update(content).digest("hex");
  if (found !== sha256) throw new Error(`${path} has the hash ${found}`);
  await mkdir(dirname(join(copy, path)), { recursive: true });
  await writeFile(join(copy, path), content);
}
