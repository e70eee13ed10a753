// Loaded before anything else (`node --import ./config/require-node.mjs …`). Plain old JavaScript, so that a Node that is
// too old answers with a sentence instead of a syntax error from a dependency.
const MINIMUM_MAJOR = 22;
const found = process.versions.node;

if (Number(found.split(".")[0]) < MINIMUM_MAJOR) {
  process.stderr.write(
    `Raisebook needs Node.js ${MINIMUM_MAJOR} or newer; this is ${found}.\n` +
      "On Linux x64, `npm ci` brings its own Node 24, which the npm scripts use: run `npm ci` (without\n" +
      "`--omit=optional`), then the same command again. Elsewhere install Node.js 24 from https://nodejs.org/.\n",
  );
  process.exit(1);
}
