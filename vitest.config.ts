import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";
import { PATIENCE } from "./test/harness/patience.ts";
import { LONG_TESTS, SlowestFirst } from "./test/harness/slowest-first.ts";

/** They stand next to what they test, but start processes, which no unit test may, or take about a second and more. */
const NO_UNIT_TESTS = [
  "client/verify.test.ts",
  "operate/cli/program.test.ts",
  "operate/cli/{contracts,registry}/{check,template}.test.ts",
  "operate/cli/registry/entries.test.ts",
  "operate/cli/compare/command.test.ts",
  "operate/cli/verify/verify.test.ts",
  "operate/audit/figures.test.ts",
  "operate/daemon/{check-factory,check-start,heartbeat,preload}.test.ts",
  "test/unit/deployment/{alerts,dockerfile,haproxy,kubernetes,system-tools}.test.ts",
  "test/unit/{dependencies,free-port,package}.test.ts",
  "operate/webhooks/{deliver,main,process,send}.test.ts",
  "api/{graphql/endpoint,graphql/events,graphql/random,health/upstream,http/links,http/rate-limit}.test.ts",
  "api/{knowledge/search,market/advance,market/market-query,market/refolds,mcp/tools,rest/csv,rest/full-list/full-list,rest/ledger,rest/proofs,rest/stream/filter,rest/stream/follower,rest/stream/reads,rest/stream/stream}.test.ts",
  "api/registry/{folder,images,saved,signature,store,store-signed}.test.ts",
  "api/{discovery,site/charts,site/embed,site/follow,site/graphql,site/html,site/markdown,site/picture,site/reference,site/system}/*.test.ts",
  "api/site/{answers,data/data,answers-kept,answers-states,brand/accent,covers/pattern,developers/page,listing/facts}.test.ts",
  "api/data/{keep,parquet,recipes,write}.test.ts",
  "chain/{call,client}.test.ts",
  "client/{fetch,follow,verify-foreign,verify-foreign-totals}.test.ts",
  "operate/backfill/{ledger-file,verify-file}.test.ts",
  "operate/cli/compare/compare.test.ts",
  "test/unit/{accept-matrix,faces,faces-pages,figures,openapi,openapi-complete,openapi-examples,status-invariants}.test.ts",
];

/** `npm run test:mutations` has one module changed as it is loaded: `[path, from, to]`. */
const [changed, from, to] = JSON.parse(process.env.MUTATION ?? "[]") as string[];
const mutation: Plugin = {
  name: "mutation",
  enforce: "pre",
  transform: (code, id) => (id === changed ? code.replace(from ?? "", () => to ?? "") : undefined),
};

/**
 * Quick and pure; those that need a chain, other processes or seconds; those that need the service; those that need a browser; and what
 * takes longest of the last two. `npm run test:unit` runs the first, `npm test` all but the last, `npm run test:long` the last.
 */
export default defineConfig({
  plugins: changed === undefined ? [] : [mutation],
  // As Node resolves it. Vite alone would take its ES modules: a second copy beside that of the packages that require it.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve("graphql")) }] },
  test: {
    reporters: ["default", "./test/harness/summary-reporter.ts"],
    // Two files at a time keep two cores busy.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // A worker makes thousands of short-lived pages and schemas: with room for them less is copied about.
    execArgv: ["--max-semi-space-size=64"],
    // A mutation is not to be found in a later run.
    fsModuleCache: changed === undefined,
    // Half of the time of a quick file with modules of its own is loading them.
    isolate: false,
    // Only for what hangs: tests wait for states, which come late on a loaded machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: PATIENCE },
    setupFiles: ["./test/harness/file-setup.ts"],
    // For the processes that tests start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/raisebook/compiled", import.meta.url)),
      NODE_OPTIONS: `--import=${new URL("test/harness/quick-wasm.mjs", import.meta.url)}`,
    },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{api,chain,client,config,operate,src}/**/*.test.ts", "test/{unit,model}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...NO_UNIT_TESTS],
          setupFiles: ["./test/harness/worker-setup.ts", "./test/harness/unit-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "chain",
          include: ["test/{contracts,conformance}/**/*.test.ts", ...NO_UNIT_TESTS],
          setupFiles: ["./test/harness/worker-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...LONG_TESTS],
          globalSetup: ["./test/harness/postgres.ts"],
          // The slowest of all begin when the others have ended, and not before the last of them.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...LONG_TESTS],
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: LONG_TESTS,
          globalSetup: ["./test/harness/postgres.ts"],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
