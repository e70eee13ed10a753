/** @module The same registry at each kind of source, with a way to change one entry of it. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { serve } from "../harness/serve.ts";
import { entryOf, originatorsOf, publicIdOf, registryOf, type Shape } from "../million/shape.ts";

export type Source = {
  kind: "file" | "URL" | "folder" | "table";
  /** as in REGISTRY */
  registry: string;
  /** Gives the entry in the middle another title. */
  change(title: string): Promise<void>;
  /** Writes the same again, as an export does; null if that is not a separate case. */
  touch: (() => Promise<void>) | null;
};

export const middleOf = ({ raises }: Shape) => Math.floor(raises / 2);

async function write(path: string, shape: Shape, title?: string): Promise<void> {
  const changed = title === undefined ? undefined : { raise: middleOf(shape), title };
  await pipeline(Readable.from(registryOf(shape, changed)), createWriteStream(`${path}.new`));
  await rename(`${path}.new`, path);
}

export async function inFile(shape: Shape, folder: string): Promise<Source> {
  const registry = join(folder, "registry.json");
  let last: string | undefined;
  await write(registry, shape);
  return {
    ...{ kind: "file", registry },
    change(title) {
      last = title;
      return write(registry, shape, title);
    },
    touch: () => write(registry, shape, last),
  };
}

export async function atUrl(shape: Shape, folder: string): Promise<Source> {
  const path = join(folder, "served.json");
  let tag = '"first"';
  await write(path, shape);
  const port = await serve((request, response) => {
    if (request.headers["if-none-match"] === tag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json", etag: tag });
    void pipeline(createReadStream(path), response).catch(() => {});
  });
  return {
    ...{ kind: "URL", registry: `http://127.0.0.1:${port}/registry.json`, touch: null },
    async change(title) {
      await write(path, shape, title);
      tag = `"${title}"`;
    },
  };
}

export async function inFolder(shape: Shape, folder: string): Promise<Source> {
  const registry = join(folder, "registry");
  await mkdir(join(registry, "listings"), { recursive: true });
  await writeFile(join(registry, "originators.json"), JSON.stringify([...originatorsOf(shape)]));
  const put = (raise: number, others: object = {}) =>
    writeFile(
      join(registry, "listings", `${publicIdOf(raise)}.json`),
      JSON.stringify({ ...entryOf(shape, raise), ...others }),
    );
  for (let raise = 0; raise < shape.raises; raise += 1) await put(raise);
  return {
    ...{ kind: "folder", registry: `${registry}/`, touch: null },
    change: (title) => put(middleOf(shape), { title }),
  };
}

const TABLES = `
  CREATE SCHEMA published;
  CREATE TABLE published.business ("publicId" text PRIMARY KEY, "legalName" text, jurisdiction text, "kybStatus" text, addresses jsonb);
  CREATE TABLE published.raise ("publicId" text PRIMARY KEY, originator text, "escrowAddress" text, "onchainId" text, title text, description text);
  CREATE FUNCTION published.announce() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('raisebook_registry', ''); RETURN NULL; END $$;
  CREATE TRIGGER announce AFTER UPDATE ON published.raise FOR EACH STATEMENT EXECUTE FUNCTION published.announce()`;

export async function inTable(shape: Shape, connectionString: string): Promise<Source> {
  const query = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(text, values).finally(() => client.end());
  };
  await query(TABLES);
  const fill = (table: string, entries: readonly object[]) =>
    query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(entries),
    ]);
  await fill("published.business", [...originatorsOf(shape)]);
  for (let start = 0; start < shape.raises; start += 10_000) {
    const count = Math.min(10_000, shape.raises - start);
    await fill(
      "published.raise",
      Array.from({ length: count }, (_, index) => entryOf(shape, start + index)),
    );
  }
  return {
    kind: "table",
    registry: `${connectionString}?table=published.raise&originators=published.business`,
    touch: null,
    change: (title) =>
      query(`UPDATE published.raise SET title = $1 WHERE "publicId" = $2`, [
        title,
        publicIdOf(middleOf(shape)),
      ]),
  };
}
