/** @module The page of the open data: what there is, how to query it, and what each column means. */
import { type Column, SQL_TYPES, TABLES, type TableName } from "../../data/columns.ts";
import { type DataFile, filesOf, type Manifest } from "../../data/manifest.ts";
import { RECIPES, tablesSql } from "../../data/recipes.ts";
import { tooLarge } from "../../data/source.ts";
import { fact, facts, links, linkTo, notice, paragraph, section, snippet, table } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Snippet } from "../endpoint.ts";
import type { Page, PageRequest, PageResult, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { blockCode, code, count, link, NONE, shortCode, text, time, type Value } from "../value.ts";
import { MANIFEST_PATH } from "./files.ts";

/** Files of the ledger on the page; the manifest has all. */
const MOST_FILES = 20;

const ABOUT: Record<TableName, string> = {
  ledger:
    "One row for each event, in the order of the chain. Files of it never change, and none is replaced.",
  listings: "One row for each raise as of the last block. The next file replaces it.",
  originators: "One row for each business as of the last block. The next file replaces it.",
  cohorts:
    'One row for each cohort of loans, as of the last block. Cohorts of every kind are in it: the column "by" says which kind, so add up only rows with the same one. Of businesses it has the 200 that borrowed most. The next file replaces it.',
};

export async function dataPage(
  {
    publicSettings: { publicUrl },
    knowledge,
    data = null,
  }: Pick<SiteDependencies, "publicSettings" | "knowledge" | "data">,
  { snapshot }: PageRequest,
): Promise<PageResult> {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const manifest = (await data?.manifest()) ?? null;
  const page: Page = {
    path: SITE_PATHS.data,
    title: "Open data",
    description:
      "Every final event, raise, business and cohort of loans as Parquet files, to query with SQL, without our API.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board, CRUMBS.developers],
    sections: [
      summarySection(manifest, data === null ? NO_FILES : tooLarge(snapshot.market)),
      querySection(publicUrl),
      recipesSection(),
      ...(manifest === null ? [] : [filesSection(manifest)]),
      ...(Object.keys(TABLES) as TableName[]).map(legendSection),
      notesSection(),
    ],
    hasContents: true,
    isLive: false,
  };
  return { kind: "page", page };
}

const NO_FILES =
  "This service publishes no files. The queries and the legend below are those of any service that does.";
const NO_FILE_YET = "No file is complete yet. The first one appears once all of its blocks are final.";

/** @param problem why no more files are written */
function summarySection(manifest: Manifest | null, problem: string | null): Section {
  const title = "What there is";
  if (manifest === null) return section("summary", title, [notice("info", problem ?? NO_FILE_YET)]);
  const { tables, toBlock, at, root, licence } = manifest;
  const size = filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
  return section("summary", title, [
    ...(problem === null ? [] : [notice("info", problem)]),
    facts("grid", [
      fact("toBlock", "Up to block", blockCode(toBlock)),
      fact("at", "Time of that block", time(at)),
      fact("events", "Events", count(tables.ledger.rows)),
      fact("raises", "Raises", count(tables.listings.rows)),
      fact("businesses", "Businesses", count(tables.originators.rows)),
      fact("bytes", "Size", sizeValue(size)),
    ]),
    facts("list", [
      fact("licence", "Licence", licenceValue(licence), licence === null ? NO_LICENCE : undefined),
      fact(
        "root",
        "Root of the book",
        link(root, `/v1/root?at=${toBlock}`),
        "One hash over every raise and event up to that block. Services with the same root have the same files of events.",
      ),
    ]),
    { kind: "action", link: linkTo("Manifest (JSON)", MANIFEST_PATH) },
    paragraph("The manifest names every file with its SHA-256, and repeats the legend below for programs."),
  ]);
}

const NO_LICENCE = "The operator has not said what you may do with the files. Ask before you publish them.";

function licenceValue(licence: string | null): Value {
  if (licence === null) return text("none granted");
  return /^https?:/.test(licence)
    ? link(licence, licence)
    : link(licence, `https://spdx.org/licenses/${licence}.html`);
}

function querySection(publicUrl: string): Section {
  const snippets: readonly Snippet[] = [
    { label: "DuckDB", language: "sql", text: tablesSql(`${publicUrl}${SITE_PATHS.data}/`) },
    { label: "Download", language: "bash", text: download(publicUrl) },
  ];
  return section("query", "Query it", [
    paragraph(
      "DuckDB reads the files where they are, and only the parts that a query needs. These statements name the four tables:",
    ),
    { kind: "tabs", tabs: { id: "query", label: "Open the tables", snippets } },
  ]);
}

const download = (publicUrl: string) => `curl -s '${publicUrl}${MANIFEST_PATH}' -o manifest.json
jq -r '.tables[].files[].path' manifest.json |
  xargs -I {} curl -s --create-dirs -o {} '${publicUrl}${SITE_PATHS.data}/{}'
jq -r '.tables[].files[] | "\\(.sha256)  \\(.path)"' manifest.json | sha256sum --check`;

function recipesSection(): Section {
  const blocks = RECIPES.map(({ title, about, sql }) =>
    snippet({ label: `${title}. ${about}`, language: "sql", text: sql }),
  );
  const recipes = section("recipes", "Queries to begin with", blocks);
  return { ...recipes, fold: `${RECIPES.length} queries in SQL` };
}

function filesSection({ tables, fromBlock, toBlock, blocksPerFile }: Manifest): Section {
  const { files } = tables.ledger;
  const shown = [
    ...tables.listings.files,
    ...tables.originators.files,
    ...tables.cohorts.files,
    ...files.slice(-MOST_FILES).reverse(),
  ];
  const left = files.length - Math.min(files.length, MOST_FILES);
  return section("files", "Files", [
    paragraph(
      `Each file of events covers ${Number(blocksPerFile).toLocaleString("en-US")} blocks; ranges without an event have none. The files cover blocks ${fromBlock} to ${toBlock}.`,
    ),
    table<DataFile>({
      caption: left === 0 ? "All files" : `The newest files; the manifest has ${left} more`,
      items: shown,
      keyOf: ({ path }) => path,
      columns: [
        ["path", "File", ({ path }) => link(path, `${SITE_PATHS.data}/${path}`)],
        ["rows", "Rows", ({ rows }) => count(rows), "end"],
        ["bytes", "Size", ({ bytes }) => sizeValue(bytes), "end"],
        ["sha256", "SHA-256", ({ sha256 }) => shortCode(sha256)],
      ],
      empty: "No files.",
    }),
  ]);
}

function legendSection(name: TableName): Section {
  const legend = section(name, `Columns of ${name}`, [
    paragraph(ABOUT[name]),
    table<Column>({
      caption: `The columns of ${name}, and what they mean`,
      items: TABLES[name],
      keyOf: (column) => column.name,
      columns: [
        ["name", "Column", (column) => code(column.name)],
        ["type", "Type", ({ type }) => code(SQL_TYPES[type])],
        ["unit", "Unit", ({ unit }) => (unit === null ? NONE : text(unit))],
        ["description", "Meaning", ({ description }) => text(description.replaceAll("`", ""))],
        ["since", "Since", ({ since }) => text(`v${since}`)],
      ],
      empty: "No columns.",
    }),
  ]);
  return name === "ledger"
    ? { ...legend, fold: `${TABLES[name].length} columns with their meanings` }
    : { ...legend, isFolded: true };
}

function notesSection(): Section {
  return section("notes", "How to read them", [
    facts("list", [
      fact(
        "final",
        "Final rows only",
        text("no event in a file can be reversed"),
        "Newer events are in /v1/events.",
      ),
      fact(
        "names",
        "File names",
        text("contain part of the hash"),
        "A file with a given name never changes, so you can keep it.",
      ),
      fact(
        "amounts",
        "Amounts",
        text("base units, with 18 decimals"),
        "Divide by 1e18 for dollars. null is no change.",
      ),
      fact("times", "Times", text("UTC, by the chain's clock")),
      fact(
        "hashes",
        "Hashes",
        text("32 bytes"),
        "In DuckDB, '0x' || lower(hex(tx_hash)) is what a block explorer shows.",
      ),
      fact(
        "people",
        "People",
        text("not in the files"),
        "No address of a backer, payer, holder, seller or buyer.",
      ),
      fact(
        "unpublished",
        "Unpublished raises",
        text("have events in the ledger, and no row among the raises"),
        "Join with listings, as the queries above do, to count what the site shows.",
      ),
    ]),
    links([
      linkTo("Statistics", SITE_PATHS.statistics, "the same figures as charts and tables"),
      linkTo("Ledger as it grows", SITE_PATHS.developers, "REST, GraphQL and a live stream"),
      linkTo("Knowledge base", SITE_PATHS.knowledge, "what the terms mean"),
    ]),
  ]);
}

const UNITS = ["bytes", "KB", "MB", "GB"] as const;

function sizeValue(bytes: number): Value {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const size = (bytes / 1000 ** power).toLocaleString("en-US", {
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return text(`${size} ${UNITS[power]}`);
}
