/** @module A route that asks the database for each request, in a separate process. */
import { getRequestListener } from "@hono/node-server";
import { desc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Hono } from "hono";
import { listing } from "../../ponder.schema.ts";
import { poolOf, type Source } from "./pool.ts";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

answerOwner(async ({ limit, ...source }: Source) => {
  const database = drizzle(poolOf(source), { casing: "snake_case" });
  const app = new Hono().get("/listings", async (c) => {
    const listings = await database.select().from(listing).orderBy(desc(listing.goLiveAt)).limit(limit);
    const text = JSON.stringify({ listings }, (_, value) => (typeof value === "bigint" ? `${value}` : value));
    return c.body(text, 200, { "Content-Type": "application/json" });
  });
  return { port: await serve(getRequestListener(app.fetch)), request: { path: "/listings" } };
});
