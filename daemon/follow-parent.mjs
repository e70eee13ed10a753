// Loaded into the indexer's process before Ponder. When the daemon dies without a word (kill -9, out of memory), its
// child must not stay behind holding the port and the database: asked to end first, and made to when it does not.
const PATIENCE = 30_000;

process.once("disconnect", () => {
  process.kill(process.pid, "SIGINT");
  setTimeout(() => process.kill(process.pid, "SIGKILL"), PATIENCE).unref();
});
process.channel?.unref();
