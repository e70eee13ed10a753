/** @module Connections for servers that read the tables for each request. */
import pg from "pg";

export type Source = {
  connectionString: string;
  schema: string;
  /** rows of a page */
  limit: number;
};

/** As many as the service has for requests. */
const CONNECTIONS = 10;

export function poolOf({ connectionString, schema }: Omit<Source, "limit">): pg.Pool {
  return new pg.Pool({
    ...{ connectionString, max: CONNECTIONS },
    onConnect: async (client) => void (await client.query(`SET search_path TO ${schema}`)),
  });
}
