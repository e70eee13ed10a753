// Loaded into the indexer's process before Ponder.
import perfHooks from "node:perf_hooks";
import { Worker } from "node:worker_threads";

// When the daemon dies abruptly (kill -9, out of memory), its child must not stay behind with the port and the database: it
// is asked to end, and killed if it does not. This runs in a separate thread, even when the process is busy. The daemon passes
// its pid: if it dies while this process is starting, the parent is already another process.
new Worker(
  `const parent = ${Number(process.env.RAISEBOOK_DAEMON) || process.ppid};
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

// Init systems and closed terminals signal the whole group. On SIGTERM Vite, inside Ponder, ends the process before Ponder
// has unlocked the schema, and the next start waits 20 s; SIGHUP has no handler. Both are turned into SIGINT.
for (const name of ["SIGTERM", "SIGHUP"]) process.on(name, () => process.kill(process.pid, "SIGINT"));
process.on("newListener", (name, listener) => {
  if (name === "SIGTERM") queueMicrotask(() => process.off(name, listener));
});

// Ponder samples the event loop delay every millisecond, which wakes an idle process 800 times a second and costs more than
// everything else in it. Ten samples a second suffice for its metrics.
const { monitorEventLoopDelay } = perfHooks;
perfHooks.monitorEventLoopDelay = (options) => monitorEventLoopDelay({ ...options, resolution: 100 });
