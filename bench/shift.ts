/** @module Layout shifts on the board of the living demo: none, although raises come and close all the time. */
import { setTimeout as sleep } from "node:timers/promises";
import { launchChromium } from "../test/browser/chromium.ts";
import { layoutShifts, watchShifts } from "../test/browser/shifts.ts";
import { startDemoOnFreePorts } from "./harness/demo.ts";
import { soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

/** Milliseconds for which the boards stay open. */
const DURATION = 300_000;
/** Pixels. The second one is a phone. */
const VIEWS = [
  { name: "cards", path: "/", width: 1280 },
  { name: "cards on a phone", path: "/", width: 390 },
  { name: "the table", path: "/?view=table", width: 1280 },
] as const;

export async function* shift(): AsyncGenerator<Row> {
  const demo = await startDemoOnFreePorts();
  try {
    await demo.says("Raisebook is ready");
    await using browser = await launchChromium();
    const boards = await Promise.all(
      VIEWS.map(async ({ name, path, width }) => {
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        await watchShifts(page);
        await page.goto(`http://127.0.0.1:${demo.port}${path}`);
        await page.mouse.wheel(0, 200);
        return { name, page };
      }),
    );
    await sleep(DURATION);
    for (const { name, page } of boards) {
      const shifts = await layoutShifts(page);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      const about = { bench: "shift", unit: "layout shift in 5 min", bar: "0" };
      yield soloRow({ ...about, case: name }, [sum]);
      for (const { value, moved } of shifts) process.stderr.write(`${name} ${value}: ${moved.join("; ")}\n`);
    }
  } finally {
    demo.process.kill("SIGINT");
    await demo.exited;
  }
}
