// The arrows of docs/architecture.md: which way an import may run. `npm run check:arrows` fails on any other.
//
// swc parses, because TypeScript 7 has no API for programs yet. Imports of types count like any others. swc's visitor does
// not know `using` declarations: only tests have them, and tests are not parsed.

const FACES = "rest|graphql|mcp|site|discovery";
const BOOK = "market|ledger|feed|history|proof|registry|knowledge|health|database";
const TOP = "^api/(app|operator|ponder|service)\\.ts$";
const HTTP = "(^|/)node_modules/(hono|@hono/node-server)/|^(node:)?https?$";
const PRODUCTION =
  "^(abis|api|audit|backfill|cli|config|daemon|doctor|src|webhooks)/|^ponder\\.(config|schema)\\.ts$";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
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
      { path: `^api/(${FACES}|http|openapi)/|${TOP}|${HTTP}` },
    ),
    forbid(
      "registry-below-book",
      "The registry is the lowest floor of the book.",
      { path: "^api/registry/" },
      { path: `^api/(${BOOK})/`, pathNot: "^api/registry/" },
    ),
    forbid(
      "market-below-book",
      "The market is the second floor of the book, on the registry alone.",
      { path: "^api/market/" },
      { path: `^api/(${BOOK})/`, pathNot: "^api/(market|registry)/" },
    ),
    forbid(
      "wire-knows-no-market",
      "HTTP is the same whatever the answer is about.",
      { path: "^api/http/" },
      { path: `^api/(${BOOK}|${FACES}|openapi)/|${TOP}|^audit/` },
    ),
    forbid(
      "description-above-faces",
      "The description is composed of the faces' routes, so only the app and generators may import it.",
      { path: "^(api|audit|backfill|config|daemon|src)/", pathNot: "^api/openapi/|^api/app\\.ts$" },
      { path: "^api/openapi/" },
    ),
    forbid(
      "api-below-its-users",
      "The service runs without what starts it, shows it or tests it.",
      { path: "^api/" },
      { path: "^(backfill|cli|daemon|demo|doctor|test|bench)/" },
    ),
    forbid(
      "backfill-fills-tables",
      "The fast-forward writes what the handlers would write, by the same fold, and knows no reader.",
      { path: "^backfill/" },
      { path: "^(api|audit|daemon|demo)/|^src/(?!fold/)|^ponder:" },
    ),
    forbid(
      "backfill-stands-alone",
      "It is a process: what starts it names its file. Ledger files and the registry's template read and verify as it does.",
      { path: ".", pathNot: "^(backfill|cli/db)/|^cli/registry/created\\.ts$" },
      { path: "^backfill/" },
    ),
    forbid(
      "doctor-examines",
      "A set-up runs without what examines it; the command line alone names it, for its help.",
      { path: ".", pathNot: "^(doctor|test)/|^cli/program\\.ts$" },
      { path: "^doctor/" },
    ),
    forbid(
      "webhooks-on-the-stream",
      "Deliveries are a client of the read interface: of the book they know the ids of rows alone, and the service does not know them.",
      { path: "^webhooks/" },
      { path: "^(audit|backfill|demo|doctor)/|^api/(?!ledger/row-id\\.ts$)|^src/(?!fold/)" },
    ),
    forbid(
      "webhooks-stand-alone",
      "They are a process. The doctor looks at their file, the command line names them for its help.",
      { path: ".", pathNot: "^(doctor|test|webhooks)/|^cli/program\\.ts$" },
      { path: "^webhooks/" },
    ),
    forbid(
      "audit-wired-in-service",
      "The service wires audits; everything else gets their reports.",
      { path: "^api/", pathNot: "^api/service\\.ts$" },
      { path: "^audit/" },
    ),
    forbid(
      "audit-on-the-book",
      "An audit reads the book, not the answers made from it.",
      { path: "^audit/" },
      { path: `^api/(${FACES}|http|openapi)/|${TOP}|^(daemon|demo)/` },
    ),
    forbid(
      "fold-is-pure",
      "The fold turns events into rows: no database, no framework, no other folder.",
      { path: "^src/fold/" },
      {
        path: "^(api|audit|backfill|config|daemon|demo)/|^src/(?!fold/)|^ponder:|(^|/)node_modules/(ponder|drizzle-orm|pg|hono)/",
      },
    ),
    forbid(
      "indexer-below-api",
      "Handlers write the tables and do not know their readers.",
      { path: "^src/", pathNot: "^src/api/index\\.ts$" },
      { path: "^api/" },
    ),
    forbid(
      "config-stands-alone",
      "The environment is read before anything else.",
      { path: "^config/" },
      { path: "^(abis|api|audit|backfill|client|contracts|daemon|demo|src)/|^ponder\\.|^ponder:" },
    ),
    forbid(
      "client-stands-alone",
      "The client is published without the service.",
      { path: "^client/", pathNot: "^client/generate\\.ts$" },
      { path: "^(abis|api|audit|backfill|config|contracts|daemon|demo|src)/" },
    ),
    forbid(
      "one-home-in-ponder",
      "Everything else runs without Ponder's API.",
      { path: ".", pathNot: "^src/api/index\\.ts$" },
      { path: "^ponder:api$" },
    ),
    forbid(
      "no-test-code-in-production",
      "Test helpers are under test/, and only tests and benches import them.",
      { path: `${PRODUCTION}|^(client|contracts|demo)/` },
      { path: "^(test|bench)/|\\.test\\.ts$" },
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
