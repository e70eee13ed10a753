/**
 * How Ponder goes on after a fast-forward: as if its contracts began after the last block of it, with the tables filled and
 * the announced contracts known.
 *
 * Ponder's cache of logs and blocks is left without the history, and without a note that it had it: another version of the
 * service, on the same database, would take such a note for the logs themselves, and miss every event.
 * @module
 */
import { tableExists } from "../../config/postgres-client.ts";
import { FAST_FORWARD_TABLE } from "../../config/table-names.ts";
import { type Connection, connectionOf, type Factory, type LogFilter, type PonderApp } from "./ponder.ts";

/** Notes the last block of the fast-forward, for every later start on this schema, and which events its ledger has. */
export async function writeMark(
  connection: Connection,
  schema: string,
  { last, ledgerKey }: { last: number; ledgerKey: string | null },
): Promise<void> {
  const name = `"${schema}"."${FAST_FORWARD_TABLE}"`;
  await connection.query(`CREATE TABLE IF NOT EXISTS ${name} (last_block BIGINT NOT NULL, ledger_key TEXT)`);
  await connection.query(`DELETE FROM ${name}`);
  await connection.query(`INSERT INTO ${name} VALUES ($1, $2)`, [last, ledgerKey]);
}

/** The last block of the fast-forward that filled this schema; null where none did. */
export async function readMark(app: PonderApp): Promise<number | null> {
  const connection = connectionOf(app);
  const name = `"${app.namespaceBuild.schema}"."${FAST_FORWARD_TABLE}"`;
  if (!(await tableExists(connection, name))) return null;
  const { rows } = await connection.query(`SELECT last_block FROM ${name}`);
  return Number(rows[0]?.last_block);
}

/** Ponder's app with every contract beginning after `block`. Factories keep their ids, by which Ponder knows them. */
export function resumedAfter(app: PonderApp, block: number): PonderApp {
  const after = (start: number | undefined) => Math.max(start ?? 0, block + 1);
  const factories = new Map<string, Factory>();
  const moved = ({ address, fromBlock, ...filter }: LogFilter): LogFilter => {
    if (!isFactory(address)) return { ...filter, address, fromBlock: after(fromBlock) };
    const factory = factories.get(address.id) ?? { ...address, fromBlock: after(address.fromBlock) };
    factories.set(address.id, factory);
    return { ...filter, address: factory, fromBlock: after(fromBlock) };
  };
  const eventCallbacks = app.indexingBuild.eventCallbacks.map((callbacks) =>
    callbacks.map((callback) => ({ ...callback, filter: moved(callback.filter) })),
  );
  return { ...app, indexingBuild: { ...app.indexingBuild, eventCallbacks } };
}

/** Each factory once. */
export function factoriesOf({
  indexingBuild,
}: Pick<PonderApp, "indexingBuild">): { factory: Factory; isOfTokens: boolean }[] {
  const filters = indexingBuild.eventCallbacks.flat().map(({ filter }) => filter);
  const factories = new Set(filters.map(({ address }) => address).filter(isFactory));
  return [...factories].map((factory) => ({ factory, isOfTokens: factory.sourceId === "ListingToken" }));
}

function isFactory(address: LogFilter["address"]): address is Factory {
  return typeof address === "object" && !Array.isArray(address);
}
