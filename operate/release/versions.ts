/**
 * Checks that all files name the right version. `/v1/health` and `--version` read package.json directly
 * (`api/version.ts`), and openapi.json has the version of the interface, which the interface document defines.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../config/schema-name.ts";

export type Release = {
  readonly version: string;
  /** As written: an ISO date. */
  readonly date: string;
  /** Markdown, without the heading. */
  readonly notes: string;
};

type Changelog = {
  /** The notes that are not released yet; null without that section. */
  readonly unreleased: string | null;
  /** Newest first. */
  readonly releases: readonly Release[];
};

const UNRELEASED = "Unreleased";
const HEADING = /^## \[(?<name>[^\]\n]+)\](?: - (?<date>\S+))?[ \t]*$/gm;

export function readChangelog(text: string): Changelog {
  const headings = [...text.matchAll(HEADING)];
  const sections = headings.map(({ 0: heading, index, groups }, place) => ({
    version: groups?.name ?? "",
    date: groups?.date ?? "",
    notes: text.slice(index + heading.length, headings[place + 1]?.index).trim(),
  }));
  return {
    unreleased: sections.find(({ version }) => version === UNRELEASED)?.notes ?? null,
    releases: sections.filter(({ version }) => version !== UNRELEASED),
  };
}

/**
 * The notes of a release, or those not released yet (`Unreleased`).
 * @throws {RangeError} if there are none
 */
export function notesOf({ unreleased, releases }: Changelog, version: string): string {
  const known = [...releases, ...(unreleased === null ? [] : [{ version: UNRELEASED, notes: unreleased }])];
  const found = known.find((one) => one.version.toLowerCase() === version.toLowerCase());
  if (found !== undefined && found.notes !== "") return found.notes;
  const have = known.filter(({ notes }) => notes !== "").map((one) => one.version);
  throw new RangeError(
    `CHANGELOG.md has no notes of ${version}; it has those of ${have.join(", ") || "nothing"}.`,
  );
}

export type Versions = {
  readonly changelog: Changelog;
  /** package.json, and the client's. */
  readonly manifest: { readonly version: string };
  readonly client: { readonly version: string };
  /** `packages` of package-lock.json. */
  readonly lock: Readonly<Record<string, { readonly version?: string }>>;
};

/** The versions in the files of this repository. */
export function readVersions(): Versions {
  const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
  const [manifest, client, { packages: lock }] = [
    "package.json",
    "client/package.json",
    "package-lock.json",
  ].map((path) => JSON.parse(read(path)));
  return { changelog: readChangelog(read("CHANGELOG.md")), manifest, client, lock };
}

/** As in https://semver.org, without pre-releases and builds, which are not used. */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;

/** All disagreements, as sentences; empty without any. */
export function versionProblems({ changelog, manifest, client, lock }: Versions): string[] {
  const { version } = manifest;
  const problems: string[] = [];
  if (!VERSION.test(version)) problems.push(`package.json: ${version} is no version of the form 1.2.3`);
  // It is served under its version and cached forever.
  if (client.version !== version)
    problems.push(`client/package.json: has version ${client.version}, package.json ${version}`);
  for (const [folder, of] of [
    ["", manifest],
    ["client", client],
  ] as const) {
    const locked = lock[folder]?.version;
    if (locked !== of.version)
      problems.push(`package-lock.json: has ${folder || "the package"} as ${locked}, not ${of.version}`);
  }
  const { releases } = changelog;
  for (const [index, release] of releases.entries()) {
    const name = `CHANGELOG.md: ${release.version}`;
    if (!VERSION.test(release.version)) problems.push(`${name} is no version of the form 1.2.3`);
    if (!isDate(release.date)) problems.push(`${name} needs its date, as in "## [1.2.3] - 2026-01-31"`);
    if (release.notes === "") problems.push(`${name} has no notes`);
    const earlier = releases[index + 1];
    if (earlier === undefined) continue;
    if (compare(release.version, earlier.version) <= 0)
      problems.push(`${name} is above ${earlier.version}: the newest is first, and each is there once`);
    if (release.date < earlier.date) problems.push(`${name} is from before ${earlier.version}`);
  }
  const [newest] = releases;
  if (newest !== undefined && compare(newest.version, version) > 0)
    problems.push(`CHANGELOG.md: ${newest.version} is newer than package.json, which has ${version}`);
  return problems;
}

/** The reasons not to release this version as it is. */
export function releaseProblems(versions: Versions): string[] {
  const { version } = versions.manifest;
  const [newest] = versions.changelog.releases;
  const problems = versionProblems(versions);
  if (newest?.version !== version)
    problems.push(
      `CHANGELOG.md: the newest release is ${newest?.version ?? "none"}, and package.json has ${version}: ` +
        `give what is under "Unreleased" the heading "## [${version}] - " with today's date`,
    );
  return problems;
}

const compare = (one: string, other: string) => one.localeCompare(other, "en", { numeric: true });

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
