/**
 * Changes one rule at a time and runs the unit tests that load its file: each change has to make one of them fail.
 *
 *     npm run test:mutations [-- N]
 *
 * No file is written: the change is made as the tests load the module. With a number, only that change is made.
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** [file, text that occurs once in it, what stands there instead] */
const MUTATIONS: readonly (readonly [file: string, from: string, to: string])[] = [
  ["src/fold/money.ts", "listing.raisedAmount + amount", "listing.raisedAmount"],
  ["src/fold/money.ts", "(position.netPrincipal === 0n ? 1 : 0)", "1"],
  ["src/fold/money.ts", 'return reason === "outbid" && ', "return "],
  ["src/fold/money.ts", "listing.frozenAt === null) return true", "listing.frozenAt !== null) return true"],
  ["src/fold/money.ts", "smaller(amount, position.netPrincipal)", "amount"],
  ["src/fold/rules.ts", "  released: -1n,\n", ""],
  ["src/fold/money.ts", "outstanding <= repaymentTolerance", "outstanding < repaymentTolerance"],
  ["src/fold/money.ts", "listing.clearedAt ?? (", "(null ?? "],
  ["src/fold/lifecycle.ts", "listing.closedAt !== null || listing.terminalKind", "listing.terminalKind"],
  ["src/fold/lifecycle.ts", "terminalAt: blockTime, ...freeze(listing, blockTime)", "terminalAt: blockTime"],
  [
    "src/fold/lifecycle.ts",
    'if (listing.frozenAt !== null) {\n    anomalies.add("terms_after_close")',
    'if (false) {\n    anomalies.add("terms_after_close")',
  ],
  ["src/fold/fold.ts", "freeze(saved, saved.closeAt)", "freeze(saved, at.blockTime)"],
  ["src/fold/fold.ts", "if (isReversed) patch.decidedAt = at.blockTime;", ""],
  ["src/fold/transfer.ts", "if (from !== to) {", "{"],
  ["src/fold/desk.ts", "before.remaining - amount", "before.remaining"],
  ["api/market/status.ts", "facts.frozenAt !== null || closingTimePassed", "closingTimePassed"],
  ["api/market/status.ts", "now <= facts.maturityAt + GRACE", "now < facts.maturityAt + GRACE"],
  ["api/market/status.ts", "facts.writtenOffPrincipal === 0n", "facts.writtenOffPrincipal !== null"],
  ["api/market/status.ts", "since > created ? since : created", "since"],
  ["api/market/grade.ts", "x > pulled ? x : pulled", "pulled"],
  ["api/market/grade.ts", "lossBps + lateBps / 4n", "lossBps + lateBps"],
  ["api/market/grade.ts", "now - settledAt <= RECENT", "now - settledAt < RECENT"],
  ["api/market/grade.ts", "unpaid < row.drawnAmount ? unpaid : row.drawnAmount", "unpaid"],
  ["api/market/grade.ts", "principal >= MIN_PRINCIPAL", "principal > MIN_PRINCIPAL"],
  ["api/market/yield.ts", "? quotient - 1n : quotient", "? quotient : quotient"],
  ["api/market/yield.ts", "(amount * price + PAR - 1n) / PAR", "(amount * price) / PAR"],
  ["api/market/trading.ts", "now < expiresAt", "now <= expiresAt"],
  ["api/market/trading.ts", "seller !== buyer", "true"],
  [
    "api/market/businesses.ts",
    'gradeAt(records, one.entry.kybStatus === "approved", now,',
    "gradeAt(records, true, now,",
  ],
  ["api/market/showing.ts", "row.goLiveAt !== null && place.now < row.goLiveAt", "false"],
  ["chain/prover.ts", "!== block.receiptsRoot", "=== null"],
  ["operate/backfill/complete-logs.ts", "return why === null ? null : { why }", "return null"],
  ["operate/backfill/finality.ts", "MISSING_AFTER = 300_000", "MISSING_AFTER = 600_000"],
  ["operate/webhooks/message.ts", "!isLater(id, last) || ", ""],
];

type Mutation = (typeof MUTATIONS)[number];

/** Whether a unit test fails with the change: those beside the file first, then all that load it. */
async function isCaught(mutation: Mutation): Promise<boolean> {
  return (await fails(mutation, { isNear: true })) || (await fails(mutation, { isNear: false }));
}

async function fails([file, from, to]: Mutation, { isNear }: { isNear: boolean }): Promise<boolean> {
  const path = join(ROOT, file);
  process.env.MUTATION = JSON.stringify([path, from, to]);
  const options = { project: ["unit"], related: [path], bail: 1, watch: false, reporters: [] };
  const vitest = await createVitest("test", { root: ROOT, ...options });
  try {
    await vitest.start(isNear ? [dirname(file)] : []);
    return vitest.state.getFailedFilepaths().length > 0;
  } finally {
    await vitest.close();
    process.exitCode = 0;
  }
}

for (const [file, from] of MUTATIONS) {
  if (readFileSync(join(ROOT, file), "utf8").split(from).length !== 2)
    throw new Error(`${file} has not exactly one "${from}": name the rule as it is written now`);
}
const [only] = process.argv.slice(2).map(Number);
const [file, text] = MUTATIONS[0] ?? ["", ""];
if (only === undefined && (await isCaught([file, text, text])))
  throw new Error("The unit tests fail without any mutation: fix them first");
let missed = 0;
for (const [index, mutation] of MUTATIONS.entries()) {
  if (only !== undefined && index + 1 !== only) continue;
  const caught = await isCaught(mutation);
  if (!caught) missed += 1;
  const [file, from, to] = mutation;
  const change = `${from.trim()} → ${to.trim() || "nothing"}`.replace(/\s+/g, " ");
  console.log(`${String(index + 1).padStart(2)} ${caught ? "caught" : "MISSED"}  ${file}: ${change}`);
}
if (missed > 0) console.log(`${missed} changes were caught by no unit test.`);
process.exit(missed === 0 ? 0 : 1);
