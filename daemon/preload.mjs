// Loaded into the indexer's process before Ponder.
import perfHooks from "node:perf_hooks";
import { Worker } from "node:worker_threads";

// When the daemon dies without a word (kill -9, out of memory), its child must not stay behind holding the port and the
// database: it is asked to end first, and made to when it does not.
// In a thread of its own, which goes on when the process is too busy to notice anything.
new Worker(
  `const parent = process.ppid;
  const PATIENCE = 30_000;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGINT");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), PATIENCE);
  }, 500);`,
  { eval: true, execArgv: [] },
).unref();
process.channel?.unref();

// Init systems and closed terminals signal the whole group. On SIGTERM Vite, inside Ponder, ends the process before
// Ponder has unlocked the schema, and the next start waits 20 s; nobody handles SIGHUP. Both mean what SIGINT means.
for (const name of ["SIGTERM", "SIGHUP"]) process.on(name, () => process.kill(process.pid, "SIGINT"));
process.on("newListener", (name, listener) => {
  if (name === "SIGTERM") queueMicrotask(() => process.off(name, listener));
});

// Ponder measures the delay of the event loop once a millisecond, which wakes an idle process up 800 times a second and
// costs more than all the rest of it. Ten times a second are enough for its metrics.
const { monitorEventLoopDelay } = perfHooks;
perfHooks.monitorEventLoopDelay = (options) => monitorEventLoopDelay({ ...options, resolution: 100 });
