import { expect, it } from "vitest";
import { type Release, releaseProblems, type Versions, versionProblems } from "./versions.ts";

const release = (version: string, date: string): Release => ({ version, date, notes: "- A change." });
const versions = (change: Partial<Versions> = {}): Versions => ({
  changelog: { unreleased: "", releases: [release("0.10.0", "2026-03-01"), release("0.9.0", "2026-01-31")] },
  manifest: { version: "0.10.0" },
  client: { version: "0.10.0" },
  lock: { "": { version: "0.10.0" }, client: { version: "0.10.0" } },
  ...change,
});
const released = (...releases: Release[]) => versions({ changelog: { unreleased: null, releases } });
const all = (version: string) => ({
  manifest: { version },
  client: { version },
  lock: { "": { version }, client: { version } },
});

it("finds nothing where all agree, and before the first release", () => {
  expect(releaseProblems(versions())).toEqual([]);
  expect(versionProblems(released())).toEqual([]);
  expect(versionProblems(versions(all("1.0.0")))).toEqual([]);
});

it.each<[string, Versions, string]>([
  ["no version", versions(all("1.0")), "package.json: 1.0 is no version of the form 1.2.3"],
  [
    "another client",
    versions({
      client: { version: "0.9.0" },
      lock: { "": { version: "0.10.0" }, client: { version: "0.9.0" } },
    }),
    "client/package.json: has version 0.9.0, package.json 0.10.0",
  ],
  [
    "an older lock file",
    versions({ lock: { "": { version: "0.9.0" }, client: { version: "0.10.0" } } }),
    "package-lock.json: has the package as 0.9.0, not 0.10.0",
  ],
  [
    "the order of releases",
    released(release("0.9.0", "2026-03-01"), release("0.10.0", "2026-02-01")),
    "CHANGELOG.md: 0.9.0 is above 0.10.0: the newest is first, and each is there once",
  ],
  [
    "the order of dates",
    released(release("0.10.0", "2026-01-01"), release("0.9.0", "2026-02-01")),
    "CHANGELOG.md: 0.10.0 is from before 0.9.0",
  ],
  [
    "no date",
    released(release("0.10.0", "soon")),
    'CHANGELOG.md: 0.10.0 needs its date, as in "## [1.2.3] - 2026-01-31"',
  ],
  [
    "no notes",
    released({ ...release("0.10.0", "2026-01-01"), notes: "" }),
    "CHANGELOG.md: 0.10.0 has no notes",
  ],
  [
    "a newer release than the package",
    released(release("0.11.0", "2026-04-01")),
    "CHANGELOG.md: 0.11.0 is newer than package.json, which has 0.10.0",
  ],
])("reports %s", (_, wrong, problem) => {
  expect(versionProblems(wrong)).toEqual([problem]);
});

it("does not let a version be released without its notes", () => {
  const [problem] = releaseProblems(versions(all("0.11.0")));
  expect(problem).toMatch(/^CHANGELOG\.md: the newest release is 0\.10\.0, and package\.json has 0\.11\.0/);
});
