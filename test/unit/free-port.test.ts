import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("../harness/free-port.ts", import.meta.url).href;
const ASKED = 50;

/** Ports that a process finds free, none of which it listens on; it lives until its input ends. */
const SCRIPT = `
  const { freePort } = await import(${JSON.stringify(MODULE)});
  const ports = [];
  while (ports.length < ${ASKED}) ports.push(await freePort());
  console.log(JSON.stringify(ports));
  for await (const _ of process.stdin);
`;

it("gives no port to two processes", async () => {
  const runs = Array.from({ length: 3 }, () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", SCRIPT]),
  );
  const said = await Promise.all(
    runs.map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve))),
  );
  for (const { child } of runs) child.stdin?.end();
  await Promise.all(runs);
  const ports = said.flatMap((text) => JSON.parse(String(text)));
  expect(new Set(ports).size).toBe(3 * ASKED);
});
