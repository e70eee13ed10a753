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
/** The type of prom-client's messages with the metrics of a worker. */
const ANSWER = "prom-client:getMetricsRes";

/** Answers the metrics requests of the parent process. */
export function answerForMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}

/** Serves on 127.0.0.1 until the process ends: a registry, or without one the combined metrics of this process's workers. */
export function serveMetrics(port: number, log: Pick<Logger, "warn">, registry?: Registry): void {
  const together = registry === undefined && cluster.isPrimary ? metricsOfWorkers() : null;
  const read = () => together?.() ?? registry?.metrics() ?? "";
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

type Counted = readonly { readonly type: unknown }[];

/**
 * Adds up the metrics of the workers. What those that have ended had counted at the last scrape stays in the sums: to Prometheus a sum
 * that falls has begun again at 0, and all of the rest came at once.
 */
function metricsOfWorkers(): () => Promise<string> {
  const together = new AggregatorRegistry();
  const last = new Map<number, Counted>();
  let ended: Promise<Counted> = Promise.resolve([]);
  cluster.on("message", ({ id }, { type, metrics }: { type?: string; metrics?: Counted[] }) => {
    if (type === ANSWER && metrics !== undefined) last.set(id, metrics.flat());
  });
  cluster.on("exit", ({ id }) => {
    const counted = last.get(id)?.filter((metric) => metric.type !== "gauge") ?? [];
    last.delete(id);
    ended = ended.then((before) => AggregatorRegistry.aggregate([[...before], counted]).getMetricsAsJSON());
  });
  return async () => {
    const text = await together.clusterMetrics();
    const before = await ended;
    // Without workers there is no text: that tells Prometheus that none is left.
    if (text === "" || before.length === 0) return text;
    return AggregatorRegistry.aggregate([...last.values(), before].map((one) => [...one])).metrics();
  };
}
