import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { notesOf, readChangelog } from "./versions.ts";

const TEXT = `# Changelog

Words before.

## [Unreleased]

## [0.2.0] - 2026-02-03

### Added

- Two.

## [0.1.0] - 2026-01-02

- One, with ## in it.
`;

it("reads each release with its date and its notes", () => {
  expect(readChangelog(TEXT)).toEqual({
    unreleased: "",
    releases: [
      { version: "0.2.0", date: "2026-02-03", notes: "### Added\n\n- Two." },
      { version: "0.1.0", date: "2026-01-02", notes: "- One, with ## in it." },
    ],
  });
});

it("has the notes of a release", () => {
  expect(notesOf(readChangelog(TEXT), "0.2.0")).toBe("### Added\n\n- Two.");
});

it.each(["0.3.0", "unreleased"])("says which there are instead of %s", (version) => {
  expect(() => notesOf(readChangelog(TEXT), version)).toThrow(
    `CHANGELOG.md has no notes of ${version}; it has those of 0.2.0, 0.1.0.`,
  );
});

it("reads ours", () => {
  const changelog = readChangelog(readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8"));
  expect(changelog.unreleased).not.toBeNull();
});
