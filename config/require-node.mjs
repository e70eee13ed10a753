// Loaded before anything else (`node --import ./config/require-node.mjs …`). Plain JavaScript, so that an outdated Node
// prints a sentence instead of a dependency's syntax error.
const MINIMUM_MAJOR = 22;
const version = process.versions.node;

if (Number(version.split(".")[0]) < MINIMUM_MAJOR) {
  process.stderr.write(
    `Raisebook needs Node.js ${MINIMUM_MAJOR} or newer; this is ${version}.\n` +
      "On Linux x64, `npm ci` brings its own Node 24, which the npm scripts use: run `npm ci` (without\n" +
      "`--omit=optional`), then the same command again. Elsewhere install Node.js 24 from https://nodejs.org/.\n",
  );
  process.exit(1);
}
