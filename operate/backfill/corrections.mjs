// Mistakes in Ponder 0.17.7 that lose events, count them twice, stop readers or stand still, corrected in its modules as they load:
// docs/decisions/0029-corrections-of-ponder.md. Plain JavaScript: on Node 22 before 22.15 it runs on a thread of its own, without types.
import * as module from "node:module";

const TABLE = `"\${schema}"."\${chainId === undefined ? getTableName(table) : getPartitionName(table, chainId)}"`;
const CHECKPOINT = `"\${namespaceBuild.schema}"."\${PONDER_CHECKPOINT_TABLE_NAME}"`;

/**
 * A connection whose statement timeout is set by a statement, as PgBouncer refuses it as a startup parameter, and whose statements
 * wait for one another here: Ponder issues several at a time, which pg warns of and will refuse.
 */
const CONNECTION = `class Connection extends pg.Client {
    getStartupConf() {
        const { statement_timeout, ...conf } = super.getStartupConf();
        return conf;
    }
    connect(callback) {
        const limit = \`SET statement_timeout = \${this.connectionParameters.statement_timeout || 0}\`;
        if (callback === undefined) return super.connect().then(() => super.query(limit));
        super.connect((error) => error ? callback(error) : super.query(limit, callback));
    }
    query(config, values, callback) {
        if (typeof config.submit === "function" || typeof values === "function" || callback !== undefined)
            return super.query(config, values, callback);
        const result = (this.last ?? Promise.resolve()).then(() => super.query(config, values));
        this.last = result.catch(() => {});
        return result;
    }
}`;

/** In a file of Ponder's, a text that must be there once, and what it should be. */
const CORRECTIONS = [
  {
    // A part of the backfill that ends one block before the last is committed as if it were the last.
    file: "runtime/historical.js",
    wrong: "if (cursor >= toBlock) {",
    right: "if (cursor > toBlock) {",
  },
  {
    // Blocks that are taken back while the fork is traced stay away when an endpoint does not have the next block of the fork.
    file: "sync-realtime/index.js",
    wrong: "remoteBlock = await eth_getBlockByHash(args.rpc, [remoteBlock.parentHash, false], context);",
    right: `remoteBlock = await eth_getBlockByHash(args.rpc, [remoteBlock.parentHash, false], context).catch((error) => {
                  unfinalizedBlocks = [...unfinalizedBlocks, ...reorgedBlocks];
                  throw error;
                });`,
  },
  {
    // A head that could not be fetched is taken for one that is being fetched whenever it is seen again.
    file: "sync-realtime/index.js",
    wrong: "onError(_error, block);",
    right: `if (latestFetchedBlock === block) latestFetchedBlock = undefined;
                onError(_error, block);`,
  },
  {
    // An endpoint that is behind says that blocks which it does not have yet have no logs.
    file: "rpc/index.js",
    wrong: "const response = await bucket.request(body);",
    right: `const response = await bucket.request(body);
                const lastBlock = body.method === "eth_getLogs" ? body.params[0].toBlock : undefined;
                if (lastBlock !== undefined) {
                    const block = await bucket.request({ method: "eth_getBlockByNumber", params: [lastBlock, false] });
                    if (block === null) throw new BlockNotFoundError({ blockNumber: lastBlock });
                }`,
  },
  {
    file: "utils/pg.js",
    wrong: "export function createPool(",
    right: `${CONNECTION}\nexport function createPool(`,
  },
  ...["Client", "ReadonlyClient"].map((name) => ({
    file: "utils/pg.js",
    wrong: `class ${name} extends pg.Client {`,
    right: `class ${name} extends Connection {`,
  })),
  // A reorganisation drops triggers and makes them again, and nobody can read a table from which one is dropped until it is over.
  disabled("getReorgTriggerName()", TABLE),
  disabled("notifyTrigger", CHECKPOINT),
  disabled("trigger", TABLE),
];

/** A trigger disabled instead of dropped, beside which a table can be read. When it is made again, it is enabled. */
function disabled(trigger, table) {
  return {
    file: "database/actions.js",
    wrong: `DROP TRIGGER IF EXISTS "\${${trigger}}" ON ${table}`,
    right: `DO $$ BEGIN
      ALTER TABLE ${table} DISABLE TRIGGER "\${${trigger}}";
    EXCEPTION WHEN undefined_object THEN NULL;
    END $$`,
  };
}

/** For the modules of Ponder that are loaded from now on. */
export function correctPonder() {
  if (module.registerHooks === undefined) module.register(import.meta.url);
  else module.registerHooks({ load: (url, context, next) => corrected(url, next(url, context)) });
}

/** Node's hook, on its own thread. @public */
export async function load(url, context, next) {
  return corrected(url, await next(url, context));
}

/** @throws where a text is not there once: it is not the Ponder that is known here */
function corrected(url, loaded) {
  const corrections = CORRECTIONS.filter(({ file }) => url.endsWith(`/ponder/dist/esm/${file}`));
  if (corrections.length === 0) return loaded;
  let source = Buffer.from(loaded.source).toString();
  for (const { file, wrong, right } of corrections) {
    const parts = source.split(wrong);
    if (parts.length !== 2) throw new Error(`${file} is not that of the Ponder that is known here`);
    source = parts.join(right);
  }
  return { ...loaded, source };
}
