// Loaded into the indexer's process before Ponder. When the daemon dies without a word (kill -9, out of memory), its
// child must not stay behind holding the port and the database.
process.once("disconnect", () => process.kill(process.pid, "SIGINT"));
process.channel?.unref();
