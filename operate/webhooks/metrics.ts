/** @module Prometheus metrics of deliveries. */
import { setTimeout as sleep } from "node:timers/promises";
import { Counter, Gauge, Registry } from "prom-client";
import { KEYS, type TargetState } from "./message.ts";
import type { Outcome } from "./send.ts";
import type { Store } from "./store.ts";

export type TargetMetrics = {
  attempted(outcome: Outcome["kind"]): void;
  pending(at: Pick<TargetState, "sending">): void;
  /** Everything up to this block has been delivered. */
  reached(block: bigint): void;
  /** Another process may deliver from now on: what this one knew is no longer so. */
  ended(): void;
};

/** Milliseconds to count the dead letters: health checks wait for 5 s. */
const PATIENCE = 3_000;

export type WebhookMetrics = { registry: Registry; of(target: string): TargetMetrics };

/** @param names of all targets */
export function createWebhookMetrics(
  names: readonly string[],
  store: Pick<Store, "entries">,
): WebhookMetrics {
  const registry = new Registry();
  const waiting = new Map<string, number>();
  const common = { labelNames: ["target" as const], registers: [registry] };
  const attempts = new Counter({
    name: "raisebook_webhooks_attempts_total",
    help: "Attempts to deliver a message: taken, refused (also: no answer) or gone (410)",
    labelNames: ["target", "outcome"],
    registers: [registry],
  });
  const block = new Gauge({
    name: "raisebook_webhooks_delivered_block",
    help: "The newest block of which all wanted messages are delivered; raisebook_indexed_block is where the readers are",
    ...common,
  });
  new Gauge({
    name: "raisebook_webhooks_waiting_seconds",
    help: "Seconds since the first attempt to deliver the message whose turn it is; 0 when nothing waits",
    ...common,
    collect() {
      for (const name of names) {
        const since = waiting.get(name);
        this.set({ target: name }, since === undefined ? 0 : Math.max(0, (Date.now() - since) / 1_000));
      }
    },
  });
  new Gauge({
    name: "raisebook_webhooks_dead_letters",
    help: "Messages that were given up: raisebook deliver --status shows them, --retry sends them",
    ...common,
    async collect() {
      const counted = store.entries(KEYS.deadLetters).catch(() => null);
      const letters = await Promise.race([counted, sleep(PATIENCE, null, { ref: false })]);
      this.reset();
      // The process goes on without the database, and must not seem to be gone.
      if (letters === null) return;
      const dead = letters.map(([key]) => key.split("/")[0]);
      for (const name of names) this.set({ target: name }, dead.filter((one) => one === name).length);
    },
  });
  return {
    registry,
    of: (target) => ({
      attempted: (outcome) => attempts.inc({ target, outcome }),
      pending({ sending }) {
        if (sending === null) waiting.delete(target);
        else waiting.set(target, sending.since);
      },
      reached: (number) => block.set({ target }, Number(number)),
      ended() {
        waiting.delete(target);
        block.remove({ target });
      },
    }),
  };
}
