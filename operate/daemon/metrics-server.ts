/**
 * The metrics of readers, for Prometheus on this machine: those of all processes on one port, added up by prom-client, or those
 * of a single process.
 * @module
 */
import cluster from "node:cluster";
import { createServer } from "node:http";
import { AggregatorRegistry, Registry } from "prom-client";
import type { Logger } from "../../config/log.ts";
import { isForeignName } from "../../config/values.ts";

/** Not `/metrics`, which is Ponder's path on the operator's port. */
const PATH = "/metrics/raisebook";

/** Answers the metrics requests of the parent process. */
export function answerForMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}

/** Serves on 127.0.0.1 until the process ends: a registry, or without one the combined metrics of this process's workers. */
export function serveMetrics(port: number, log: Pick<Logger, "warn">, registry?: Registry): void {
  const together = registry === undefined && cluster.isPrimary ? new AggregatorRegistry() : null;
  const read = () => together?.clusterMetrics() ?? registry?.metrics() ?? "";
  const server = createServer(async (request, response) => {
    if (isForeignName(request.headers.host)) {
      response.writeHead(403, { "Content-Type": "text/plain" }).end("Ask for 127.0.0.1 or localhost.\n");
      return;
    }
    if (request.method !== "GET" || request.url !== PATH) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end(`GET ${PATH}\n`);
      return;
    }
    try {
      const text = await read();
      response.writeHead(200, { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    } catch (error) {
      // A worker that has just died does not answer.
      response.writeHead(503, { "Content-Type": "text/plain" }).end(`${error}\n`);
    }
  });
  server.on("error", (error) => log.warn({ msg: "The readers' metrics cannot be served", port, error }));
  server.listen(port, "127.0.0.1").unref();
}
