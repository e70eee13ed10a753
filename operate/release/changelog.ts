/**
 * CHANGELOG.md, in the form of https://keepachangelog.com/en/1.1.0/: its releases, and the notes of one.
 * @module
 */

export type Release = {
  readonly version: string;
  /** As written: an ISO date. */
  readonly date: string;
  /** Markdown, without the heading. */
  readonly notes: string;
};

export type Changelog = {
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
