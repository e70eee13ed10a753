/** @module Ponder's own GraphQL over the tables, in a separate process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { getTableColumns } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Hono } from "hono";
import { graphql } from "ponder";
import * as schema from "../../ponder.schema.ts";
import { poolOf, type Source } from "./pool.ts";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

answerOwner(async ({ limit, ...source }: Source) => {
  // The middleware writes its schema below the working directory.
  const folder = mkdtempSync(join(tmpdir(), "raisebook-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.chdir(folder);
  const database = drizzle(poolOf(source), { casing: "snake_case", schema });
  const readonlyQB = Object.assign(database, {
    raw: database,
    wrap: (query: (db: typeof database) => unknown) => query(database),
  });
  // Ponder's own process has set these by then.
  Object.assign(globalThis, { PONDER_DATABASE: { readonlyQB } });
  const app = new Hono().use("/graphql", graphql({ db: database as never, schema }));
  const columns = Object.keys(getTableColumns(schema.listing)).join(" ");
  const query = `{ listings(limit: ${limit}, orderBy: "goLiveAt", orderDirection: "desc") {
    items { ${columns} } pageInfo { hasNextPage endCursor } } }`;
  return {
    port: await serve(getRequestListener(app.fetch)),
    request: {
      method: "POST",
      path: "/graphql",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    },
  };
});
