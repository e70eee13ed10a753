// Loaded before a process's own modules (`node --import`): its date is off by the milliseconds that a file names. The
// monotonic clock stays.
import { readFileSync } from "node:fs";

const SystemDate = Date;
let offset = 0;

const read = () => {
  try {
    offset = Number(readFileSync(process.env.SIMULATION_CLOCK, "utf8"));
  } catch {
    // It is just being written.
  }
};
read();
setInterval(read, 100).unref();

const now = () => SystemDate.now() + offset;
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new SystemDate(now()).toString(),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});
