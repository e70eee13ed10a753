// The arrows of docs/architecture.md: which way an import may run. `npm run check:arrows` fails on any other;
// test/unit/import-rules.test.ts shows that each rule can fail.
//
// swc parses, because TypeScript 7 has no API for programs yet. Imports of types count like any others. swc's visitor does
// not know `using` declarations: only tests have them, and tests are not parsed.

/** Folders, the lowest first. Each imports from those before it alone, so that no two of them need each other. */
const FLOORS = [
  ["abis"],
  ["config"],
  ["src/fold"],
  ["src/contracts"],
  ["client"],
  ["chain"],
  ["contracts"],
  ["api/registry"],
  ["api/market"],
  ["api/(?!registry/|market/)"],
  ["src/(?!fold/|contracts/)"],
  ["operate/audit"],
  ["operate/backfill"],
  ["operate/daemon"],
  ["operate/webhooks"],
  ["operate/doctor"],
  ["operate/cli"],
  ["operate/release"],
  ["demo"],
  ["test", "bench"],
].map((names) => `^(?:${names.map((name) => (name.endsWith(")") ? name : `${name}/`)).join("|")})`);

const FACES = "rest|graphql|mcp|site|discovery";
const BOOK = "market|ledger|updater|history|proof|data|registry|knowledge|health|database";
const HTTP = "(^|/)node_modules/(hono|@hono/node-server)/|^(node:)?https?$";
const PRODUCTION = "^(abis|api|chain|config|operate/(?!release/)|src)/|^ponder\\.(config|schema)\\.ts$";
/** Ponder asks for the service there: it imports what is above it, and nothing imports it. */
const PONDERS_DOOR = "^src/api/index\\.ts$";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...FLOORS.slice(0, -1).map((floor, index) =>
      forbid(
        "nothing-imports-upwards",
        "A folder uses those below it. What it needs from above is handed in.",
        { path: floor, pathNot: PONDERS_DOOR },
        { path: FLOORS.slice(index + 1).join("|") },
      ),
    ),
    forbid(
      "faces-are-siblings",
      "What two faces need is in the book or the wire; what one says about another is handed in by api/app.ts.",
      { path: `^api/(${FACES})/` },
      { path: `^api/(${FACES})/`, pathNot: "^api/$1/" },
    ),
    forbid(
      "book-below-faces",
      "The book has no HTTP in it and does not know its readers.",
      { path: `^api/(${BOOK})/` },
      { path: `^api/(${FACES}|http|openapi)/|^api/(app|operator)\\.ts$|${HTTP}` },
    ),
    forbid(
      "wire-knows-no-market",
      "HTTP is the same whatever the answer is about.",
      { path: "^api/http/" },
      { path: `^api/(${BOOK}|${FACES}|openapi)/|^api/(app|operator)\\.ts$` },
    ),
    forbid(
      "description-above-faces",
      "The description is composed of the faces' routes, so only the app and generators may import it.",
      { path: "^(api|operate|src)/", pathNot: "^api/openapi/|^api/app\\.ts$" },
      { path: "^api/openapi/" },
    ),
    forbid(
      "chain-for-operators",
      "Ponder fetches for the handlers. The service asks nodes single questions with viem, and reads no logs: it needs to know what a refusal means, and what a header and receipts hash to.",
      { path: "^(api|src)/" },
      { path: "^chain/(?!(refusals|header|receipts|raw-blocks)\\.ts$)" },
    ),
    forbid(
      "chain-stands-alone",
      "What talks to nodes knows the contracts and the environment, not what is made of the answers.",
      { path: "^chain/" },
      { path: "^(client|src/(?!contracts/))|^ponder\\.|^ponder:" },
    ),
    forbid(
      "backfill-fills-tables",
      "The backfill writes what the handlers would write, by the same fold, and knows no reader.",
      { path: "^operate/backfill/" },
      { path: "^api/|^operate/audit/|^src/(?!fold/|contracts/)|^ponder:" },
    ),
    forbid(
      "backfill-stands-alone",
      "It is a process: what starts it names its file. Ledger files are read, verified and forgotten as it does, and its bundles made ahead.",
      {
        path: ".",
        pathNot: "^operate/((backfill|cli/db)/|daemon/(first-ledger|prune-main)\\.ts$|make-bundles\\.mjs$)",
      },
      { path: "^operate/backfill/" },
    ),
    forbid(
      "webhooks-on-the-stream",
      "Deliveries are a client of the read interface: of the book they know the ids of rows alone.",
      { path: "^operate/webhooks/" },
      { path: "^operate/(audit|backfill)/|^chain/|^api/(?!ledger/row-id\\.ts$)|^src/(?!fold/)" },
    ),
    forbid(
      "audit-on-the-book",
      "An audit reads the book, not the answers made from it.",
      { path: "^operate/audit/" },
      { path: `^api/(${FACES}|http|openapi)/|^api/(app|operator)\\.ts$` },
    ),
    forbid(
      "fold-is-pure",
      "The fold turns events into rows: no database and no framework.",
      { path: "^src/fold/" },
      { path: "^config/|^ponder:|(^|/)node_modules/(ponder|drizzle-orm|pg|hono)/" },
    ),
    forbid(
      "config-stands-alone",
      "The environment is read before anything else.",
      { path: "^config/" },
      { path: "^abis/|^ponder\\.|^ponder:" },
    ),
    forbid(
      "client-stands-alone",
      "The client is published without the service.",
      { path: "^client/", pathNot: "^client/generate\\.ts$" },
      { path: "^(abis|config|src)/" },
    ),
    forbid(
      "one-home-in-ponder",
      "Everything else runs without Ponder's API.",
      { path: ".", pathNot: PONDERS_DOOR },
      { path: "^ponder:api$" },
    ),
    forbid(
      "nothing-behind-ponders-door",
      "Ponder loads it, nothing else.",
      { path: "." },
      { path: PONDERS_DOOR },
    ),
    forbid(
      "no-test-code-in-production",
      "Tests stand next to what they test, and only tests import them.",
      { path: `${PRODUCTION}|^(client|contracts|demo)/` },
      { path: "\\.test\\.tsx?$" },
    ),
    forbid(
      "no-dev-tools-in-production",
      "Development packages are not there in production.",
      { path: PRODUCTION },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    forbid("no-file-cycle", "Two files that need each other are one file.", {}, { circular: true }),
    {
      ...forbid(
        "no-folder-cycle",
        "Two folders that need each other are one folder.",
        {},
        { circular: true },
      ),
      scope: "folder",
    },
  ],
  options: { parser: "swc", doNotFollow: { path: ["node_modules/", "^test/", "\\.test\\.ts$"] } },
};
