// Fixes bugs of Ponder 0.17.7 that lose events, count them twice, stop readers or hang, by rewriting its modules as they load:
// docs/decisions/0029-corrections-of-ponder.md. Plain JavaScript: Node 22 before 22.15 runs it on a separate thread, without types.
import * as module from "node:module";

const TABLE = `"\${schema}"."\${chainId === undefined ? getTableName(table) : getPartitionName(table, chainId)}"`;
const CHECKPOINT = `"\${namespaceBuild.schema}"."\${PONDER_CHECKPOINT_TABLE_NAME}"`;

/** PostgreSQL's errors that pass: the connection, a read-only server, a deadlock, no resources, a lock, intervention, the system. */
export const PASSING = /^(08|25006|40|53|55P03|57|58)/;

/**
 * A connection that sets its statement timeout by a statement, as PgBouncer refuses it as a startup parameter, that carries the
 * token without which the tables refuse what it writes (`config/fence.ts`), and that runs its statements one after another: Ponder
 * issues several at a time, also streams of rows, which pg warns of and will refuse. A connection that could not be made fails the statement that Ponder
 * sends all the same: pg keeps it for ever where a proxy without a server accepts and closes. One whose other end is gone without a
 * word is found dead after minutes; a statement would wait for it for ever.
 */
const CONNECTION = `class Connection extends pg.Client {
    constructor(config) {
        super(Object.assign(config, { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }));
    }
    getStartupConf() {
        const { statement_timeout, ...conf } = super.getStartupConf();
        return conf;
    }
    connect(callback) {
        const limit = \`SET statement_timeout = \${this.connectionParameters.statement_timeout || 0};
            SET raisebook.tenure = \${this.escapeLiteral(process.env.RAISEBOOK_TENURE ?? "")}\`;
        if (callback === undefined) return super.connect().then(() => super.query(limit));
        super.connect((error) => {
            this.failure = error;
            return error ? callback(error) : super.query(limit, callback);
        });
    }
    query(config, values, callback) {
        if (this.failure && typeof values === "function") return process.nextTick(values, this.failure);
        if (typeof values === "function" || callback !== undefined) return super.query(config, values, callback);
        const result = (this.last ?? Promise.resolve()).then(() => super.query(config, values));
        if (typeof config.submit !== "function") {
            this.last = result.catch(() => {});
            return result;
        }
        const end = new Promise((resolve) => config.once("finish", resolve).once("error", resolve));
        this.last = result.then(() => end, () => {});
        return config;
    }
}`;

/** At least as many tries as Ponder's, and for as long as those take together. */
const RETRIES = `        let hasError = false;
        const until = performance.now() + 64_000;
        for (let i = 0; ; i++) {`;

/** A file of Ponder, a text that must occur in it once, and its replacement. */
const CORRECTIONS = [
  {
    // A part of the backfill that ends one block before the last is committed as if it were the last.
    file: "runtime/historical.js",
    wrong: "if (cursor >= toBlock) {",
    right: "if (cursor > toBlock) {",
  },
  // A part of the backfill is tried again after any error, also one of an endpoint, and the second try must do what the first one did. What
  // it writes is not a transaction, which would hold locks, that other indexers wait for, while endpoints are asked, and be used by requests
  // of the first try that end later: its note (`intervals`) is written last, and what is there already is not written again.
  ...[
    [
      `.transaction(async (tx) => {
                const syncStore = createSyncStore({ common: params.common, qb: tx });
                const logs`,
      `.wrap(async (qb) => {
                const syncStore = createSyncStore({ common: params.common, qb });
                const logs`,
    ],
    // The next part is begun once.
    ["const isSyncComplete =", "let isSyncComplete ="],
    [
      "promise: pwr.promise,\n                    });",
      "promise: pwr.promise,\n                    });\n                    isSyncComplete = true;",
    ],
  ].map(([wrong, right]) => ({ file: "runtime/historical.js", wrong, right })),
  // Blocks are written once all of the part are there: those of a try that fails may be of a fork, and would stay.
  ...[
    ["let closestToTipBlock;", "let closestToTipBlock;\n            const writes = [];"],
    [
      "await promiseAllSettledWithThrow([\n                    syncStore.insertBlocks(",
      "writes.push(() => promiseAllSettledWithThrow([\n                    syncStore.insertBlocks(",
    ],
    [
      "syncStore.insertLogs({ logs, chainId: args.chain.id }),\n                ]);",
      "syncStore.insertLogs({ logs, chainId: args.chain.id }),\n                ]));",
    ],
    [
      "await Promise.all(intervalRange(interval).map((blockNumber) => queue.add(blockNumber)));",
      `await Promise.all(intervalRange(interval).map((blockNumber) => queue.add(blockNumber)));
                const writer = createQueue({ browser: false, initialStart: true, concurrency: MAX_BLOCKS_IN_MEM, worker: (write) => write() });
                await Promise.all(writes.map((write) => writer.add(write)));`,
    ],
  ].map(([wrong, right]) => ({ file: "sync-historical/index.js", wrong, right })),
  {
    // An announced contract that is known since the first try is saved by the second one.
    file: "sync-historical/index.js",
    wrong: "existingBlockNumber > newBlockNumber",
    right: "existingBlockNumber >= newBlockNumber",
  },
  {
    // Blocks reverted while the fork is traced stay away if an endpoint does not have the next block of the fork.
    file: "sync-realtime/index.js",
    wrong: "remoteBlock = await eth_getBlockByHash(args.rpc, [remoteBlock.parentHash, false], context);",
    right: `remoteBlock = await eth_getBlockByHash(args.rpc, [remoteBlock.parentHash, false], context).catch((error) => {
                  unfinalizedBlocks = [...unfinalizedBlocks, ...reorgedBlocks];
                  throw error;
                });`,
  },
  {
    // A head that could not be fetched is taken for one being fetched whenever it is seen again.
    file: "sync-realtime/index.js",
    wrong: "onError(_error, block);",
    right: `if (latestFetchedBlock === block) latestFetchedBlock = undefined;
                onError(_error, block);`,
  },
  {
    // `finality.ts` decides which blocks are final, and needs to know where events are ...
    file: "sync-realtime/index.js",
    wrong: `unfinalizedBlocks.push({
            hash: block.hash,`,
    right: `unfinalizedBlocks.push({
            hasEvents: blockWithFilteredEventData.matchedFilters.size > 0,
            hash: block.hash,`,
  },
  {
    // ... and says so after a block ...
    file: "sync-realtime/index.js",
    wrong: `await realtimeSyncLock.lock();
                try {
                    yield* reconcileBlock(blockWithEventData, blockCallback);`,
    right: `await realtimeSyncLock.lock();
                try {
                    yield* reconcileBlock(blockWithEventData, blockCallback);
                    yield* finalize(args.chain.finality?.settled(unfinalizedBlocks, finalizedBlock));`,
  },
  {
    // ... and when the last one is announced again.
    file: "sync-realtime/index.js",
    wrong: "\n                    blockCallback?.(false);\n                    return;\n",
    right: `
                    blockCallback?.(false);
                    yield* finalize(args.chain.finality?.settled(unfinalizedBlocks, finalizedBlock));
                    return;\n`,
  },
  {
    // Ponder's own rule remains, for blocks that are far enough below the head.
    file: "sync-realtime/index.js",
    wrong: `        if (blockMovesFinality) {
            const pendingFinalizedBlock = unfinalizedBlocks.find((lb) => hexToNumber(lb.number) ===
                hexToNumber(block.number) - args.chain.finalityBlockCount);
`,
    right: `        if (blockMovesFinality) {
            yield* finalize(unfinalizedBlocks.find((lb) => hexToNumber(lb.number) ===
                hexToNumber(block.number) - args.chain.finalityBlockCount));
        }
    };
    const finalize = function* (pendingFinalizedBlock) {
        if (pendingFinalizedBlock !== undefined) {
`,
  },
  {
    // Heads that wait are read one after another, also those that a reorg has removed meanwhile. The newest one brings the others.
    file: "runtime/realtime.js",
    wrong: "const arrivalMs = Date.now();",
    right: `if (block.hash !== mostRecentHash) {
            blockCallback(false);
            continue;
        }
        const arrivalMs = Date.now();`,
  },
  {
    // `deep-reorg.ts` notes which block is lost.
    file: "sync-realtime/index.js",
    wrong: "finalized_block: hexToNumber(finalizedBlock.number),",
    right: "finalized_block: hexToNumber(finalizedBlock.number), finalized_hash: finalizedBlock.hash,",
  },
  {
    // A log with the signature of an announcement but other parameters, as after an upgrade of the factory, announces nothing.
    file: "runtime/filter.js",
    wrong: `    if (factory.eventSelector !== toLowerCase(log.topics[0]))
        return false;
`,
    right: `    if (factory.eventSelector !== toLowerCase(log.topics[0]))
        return false;
    const [, place, at] = /^(topic|offset)(.*)/.exec(factory.childAddressLocation);
    if (place === "topic" ? log.topics.length <= at : log.data.length < 66 + 2 * at)
        return false;
`,
  },
  {
    // `start.ts` says which block is final at a start; until then it must only not be older than that of the tables.
    file: "build/config.js",
    wrong: "numberToHex(Math.max(latest - chain.finalityBlockCount, 0))",
    right: "numberToHex(latest)",
  },
  // One of several endpoints is followed (`one-fork.ts`).
  ...[
    ["const getBucket = async () => {", "const getBucket = async (body) => {"],
    ["buckets.filter(isAvailable);", "(rpc.choice?.(body, buckets) ?? buckets).filter(isAvailable);"],
    ["await getBucket();", "await getBucket(body);"],
  ].map(([wrong, right]) => ({ file: "rpc/index.js", wrong, right })),
  {
    // An endpoint is on another fork, leaves logs of a block out, or those of blocks that it does not have yet.
    file: "rpc/index.js",
    wrong: "const response = await bucket.request(body);",
    right: `const asked = await rpc.ask?.({ body, bucket, buckets }) ?? { answer: await bucket.request(body), bucket };
                let response = asked.answer;
                if (rpc.complete !== undefined) response = await rpc.complete({ body, ...asked, buckets });
                const lastBlock = body.method === "eth_getLogs" ? body.params[0].toBlock : undefined;
                if (lastBlock !== undefined) {
                    const block = await bucket.request({ method: "eth_getBlockByNumber", params: [lastBlock, false] });
                    if (block === null) throw new BlockNotFoundError({ blockNumber: lastBlock });
                }`,
  },
  {
    // An endpoint refuses, and another one may be asked next.
    file: "rpc/index.js",
    wrong: "const error = e;\n                    common.metrics.ponder_rpc_request_error_total",
    right: `const error = e;
                    rpc.refused?.({ error, bucket });
                    common.metrics.ponder_rpc_request_error_total`,
  },
  {
    // A head whose header is not that of its hash may hide logs, and an older head is no reorg. Blocks are fetched with the next one.
    file: "rpc/index.js",
    wrong: "onBlock(standardizeBlock(msg.params.result, {",
    right:
      "if (rpc.isAnnounced?.(msg.params.result) !== false) onBlock(standardizeBlock(msg.params.result, {",
  },
  {
    // Vite watches every file of the project, for changes that are never read.
    file: "build/index.js",
    wrong: "server: { hmr: false },",
    right: "server: { hmr: false, watch: null },",
  },
  {
    // The embedded database, which takes seconds to open, is opened and closed only to see whether it opens. `check-database.ts` did.
    file: "build/index.js",
    wrong: `const dialect = preBuild.databaseConfig.kind;
            if (dialect === "pglite") {`,
    right: `const dialect = preBuild.databaseConfig.kind;
            if (dialect === "pglite") return { status: "success" };
            if (dialect === "pglite") {`,
  },
  {
    // Type declarations are written next to the code, which fails for a user without write permission. `npm run generate` writes them.
    file: "bin/utils/codegen.js",
    wrong: "export function runCodegen({ common }) {",
    right: "export function runCodegen() { return;",
  },
  {
    file: "utils/pg.js",
    wrong: "export function createPool(",
    right: `${CONNECTION}\nexport function createPool(`,
  },
  // A block that was shown would be lost with the primary, or with a server that loses power.
  ...["{\n                    this.query(`", ".then(() => this.query(`"].map((start) => ({
    file: "utils/pg.js",
    wrong: `${start}\n            SET synchronous_commit = off;`,
    right: start,
  })),
  ...["Client", "ReadonlyClient"].map((name) => ({
    file: "utils/pg.js",
    wrong: `class ${name} extends pg.Client {`,
    right: `class ${name} extends Connection {`,
  })),
  {
    // Words for a lost connection that Ponder takes for a mistake of the handler, which ends the indexer for good. The same goes for a full
    // disk, a time limit and the end of the server.
    file: "database/queryBuilder.js",
    wrong: 'error?.message?.includes("ECONNRESET") ||',
    right: `error?.message?.includes("ECONNRESET") ||
        error?.message?.includes("EPIPE") ||
        error?.message?.includes("not queryable") ||
        ${PASSING}.test(error?.code) ||`,
  },
  // An endpoint that does not know a method, as one of several behind a load balancer, uses the same words as PostgreSQL for a table.
  ...["does not exist", "already exists"].map((words) => ({
    file: "database/queryBuilder.js",
    wrong: `error?.message?.includes("${words}")`,
    right: `typeof error?.code === "string" && error.message.includes("${words}")`,
  })),
  {
    file: "database/queryBuilder.js",
    wrong: "error = new DbConnectionError(error.message);",
    right: "error = Object.assign(new DbConnectionError(error.message), { code: error.code });",
  },
  // The longer the database was away, the longer Ponder waits before it looks again. It gives up after as long as before.
  ...[
    ["        let hasError = false;\n        for (let i = 0; i <= RETRY_COUNT; i++) {", RETRIES],
    ["if (i === RETRY_COUNT) {", "if (i >= RETRY_COUNT && performance.now() > until) {"],
    ["BASE_DURATION * 2 ** i;", "Math.min(BASE_DURATION * 2 ** i, 1_000);"],
  ].map(([wrong, right]) => ({ file: "database/queryBuilder.js", wrong, right })),
  {
    // The same when rows cannot be written: Ponder then looks for a row to blame.
    file: "indexing-store/cache.js",
    wrong: `copyStream.end();
            }).catch((error) => {
                throw new CopyFlushError(error.message);`,
    right: `copyStream.end();
            }).catch((error) => {
                throw Object.assign(new CopyFlushError(error.message), { code: error.code });`,
  },
  {
    file: "indexing-store/cache.js",
    wrong: `$client.query\` method.
                .catch((error) => {
                throw new CopyFlushError(error.message);`,
    right: `$client.query\` method.
                .catch((error) => {
                throw Object.assign(new CopyFlushError(error.message), { code: error.code });`,
  },
  {
    file: "indexing-store/cache.js",
    wrong: 'error instanceof ShutdownError || qb.$dialect === "pglite"',
    right: `error instanceof ShutdownError || qb.$dialect === "pglite" || ${PASSING}.test(error.code)`,
  },
  {
    // An indexer that stands by waits where it has loaded all code and has not yet spoken with the database or a node.
    file: "bin/commands/start.js",
    wrong: "const databaseDiagnostic = await build.databaseDiagnostic({",
    right: `if (cliOptions.untilItsTurn !== undefined) {
        await build.executeIndexingFunctions();
        await cliOptions.untilItsTurn();
    }
    const databaseDiagnostic = await build.databaseDiagnostic({`,
  },
  {
    // All connections to a schema have its name: those of an indexer that was frozen are ended by the one that takes over.
    file: "database/index.js",
    wrong: 'application_name: "ponder_sync"',
    right: `application_name: \`\${namespace.schema}_sync\``,
  },
  {
    // A restart drops all indexes and creates them again at the head. That waits for every transaction that has read a table, and
    // later readers wait behind it. Those that are there stay: Ponder creates only what is missing.
    file: "database/index.js",
    wrong: "for (const indexStatement of schemaBuild.statements.indexes.json) {",
    right: "for (const indexStatement of []) {",
  },
  { file: "database/index.js", wrong: "previousApp.heartbeat_at)}s`", right: "previousApp.heartbeat_at)}`" },
  // A reorg drops and recreates triggers, and while one is dropped, its table cannot be read until the transaction ends.
  disabled("getReorgTriggerName()", TABLE),
  disabled("notifyTrigger", CHECKPOINT),
  disabled("trigger", TABLE),
];

/** Disables a trigger instead of dropping it, which does not block readers of the table. Recreating enables it. */
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

/** Applies to modules of Ponder loaded from now on. */
export function correctPonder() {
  if (module.registerHooks === undefined) module.register(import.meta.url);
  else module.registerHooks({ load: (url, context, next) => corrected(url, next(url, context)) });
}

/** Node's hook, on its own thread. @public */
export async function load(url, context, next) {
  return corrected(url, await next(url, context));
}

function corrected(url, loaded) {
  const source = correctedSource(url, () => Buffer.from(loaded.source).toString());
  return source === null ? loaded : { ...loaded, source };
}

/**
 * The corrected source of a module of Ponder; null if nothing in it is corrected.
 * @throws if a text does not occur exactly once: the version of Ponder differs
 */
export function correctedSource(path, read) {
  const corrections = CORRECTIONS.filter(({ file }) => path.endsWith(`/ponder/dist/esm/${file}`));
  if (corrections.length === 0) return null;
  let source = read();
  for (const { file, wrong, right } of corrections) {
    const parts = source.split(wrong);
    if (parts.length !== 2) throw new Error(`${file} is not that of the Ponder that is known here`);
    source = parts.join(right);
  }
  return source;
}
