/** @module Prepares a release: `npm run release -- --help`. Nothing here publishes. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf } from "../../config/command.ts";
import { PROJECT_ROOT } from "../../config/schema-name.ts";
import { INSTALL_FOLDER, installFiles, json, sbom } from "./production.ts";
import { sizesBelow, sizesText } from "./size.ts";
import { notesOf, readVersions } from "./versions.ts";

const root = commandOf("npm run release --", "What is done for a release (docs/releasing.md).", {
  exitCodes: { 0: "done, or all is well", 1: "otherwise" },
});

root
  .addCommand(
    commandOf("npm run release -- notes", "Prints the notes of a release from CHANGELOG.md.")
      .argument("[version]", 'default: that of package.json; "unreleased" for what comes next')
      .action((version) => {
        const { changelog, manifest } = readVersions();
        print(`${notesOf(changelog, version ?? manifest.version)}\n`);
      }),
  )
  .addCommand(
    commandOf("npm run release -- sbom", "Prints what the package installs, as CycloneDX.").action(() =>
      print(json(sbom())),
    ),
  )
  .addCommand(
    commandOf("npm run release -- size", "Prints how much of the disk an installation takes, by package.")
      .argument("<folder>", "the folder of its node_modules")
      .option("--json", "all packages, in bytes, as JSON")
      .action((folder, { json: asJson }) => {
        const sizes = sizesBelow(folder);
        print(asJson ? json(sizes) : `${sizesText(sizes)}\n`);
      }),
  )
  .addCommand(
    commandOf("npm run release -- files", `Writes ${INSTALL_FOLDER}/ of the package; npm pack calls it.`)
      .option("--remove", "takes it away again")
      .action(({ remove }) => {
        const folder = join(PROJECT_ROOT, INSTALL_FOLDER);
        rmSync(folder, { recursive: true, force: true });
        if (remove) return;
        mkdirSync(folder);
        for (const [path, text] of installFiles()) writeFileSync(join(PROJECT_ROOT, path), text);
      }),
  );

function print(text: string): void {
  process.stdout.write(text);
}

await root.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
