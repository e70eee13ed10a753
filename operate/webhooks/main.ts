/**
 * Sends events to the targets of `WEBHOOKS`, in a separate process.
 *
 *     npm run deliver [-- --check | --status | --retry | --forget <target> | --help]
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import { exitAfterOutput, print } from "../../config/command.ts";
import { loadEnvFiles, readSettings, type Settings } from "../../config/environment.ts";
import { createLogger } from "../../config/log.ts";
import { createServiceLog } from "../../config/node-warnings.ts";
import { problemWith, reportProblems, SettingsError } from "../../config/problems.ts";
import { createRedactor, type Redact, redactorOf } from "../../config/redact.ts";
import { warnOfModes } from "../daemon/check-environment.ts";
import { DataDirectoryError } from "../daemon/data-lock.ts";
import { serveMetrics } from "../daemon/metrics-server.ts";
import { stopRequest } from "../daemon/stop-request.ts";
import { deliverTo } from "./deliver.ts";
import { createWebhookMetrics } from "./metrics.ts";
import { deliverCommand } from "./options.ts";
import { createSender } from "./send.ts";
import { createReaderClient, readerKey, readerOf } from "./source.ts";
import { forget, retry, statusOf, statusText } from "./status.ts";
import { openStore, type Store } from "./store.ts";
import { loadTargets, type Target, WebhooksError } from "./targets.ts";

/** Milliseconds from a stop request to the forced end: a running attempt takes up to 20 s, and its result is saved. */
const STOP_TIMEOUT = 30_000;
/** Milliseconds to close the database connection. */
const CLOSE_TIMEOUT = 2_000;

let redact: Redact = (text) => text;
/** Whether the output is a log: that of commands is for people. */
let isService = false;

async function main(): Promise<number> {
  const command = deliverCommand().parse();
  const { check, status, retry: retried, forget: forgotten, json } = command.opts();
  if (json && !status) command.error("error: --json goes with --status");
  isService = !check && !status && retried === undefined && forgotten === undefined;
  loadEnvFiles();
  const settings = readSettings(process.env);
  redact = redactorOf(settings);
  const targets = await targetsOf(settings);
  redact = redactorWith(redact, targets);
  const store = openStore(settings);
  try {
    if (check) return await checked(targets, settings, store);
    if (status) return await showStatus(targets, store, json === true);
    if (retried !== undefined)
      return await retryLetters(retried === true ? targets : named(targets, retried), store);
    if (forgotten !== undefined) return await forgetTarget(forgotten, store);
    return await deliver(targets, settings, store);
  } finally {
    await Promise.race([store.close(), sleep(CLOSE_TIMEOUT)]);
  }
}

/** @throws {SettingsError} */
async function targetsOf({ webhooks }: Settings): Promise<readonly Target[]> {
  if (webhooks === null)
    throw new SettingsError([problemWith("WEBHOOKS", "is required: it names the targets of messages")]);
  try {
    return await loadTargets(webhooks);
  } catch (error) {
    if (!(error instanceof WebhooksError)) throw error;
    const list = error.problems.map((line) => `\n    - ${line}`).join("");
    const problem = problemWith("WEBHOOKS", `cannot be used:${list}`, "docs/webhooks.md has every field.");
    throw new SettingsError([problem]);
  }
}

/** Also hides the targets' secrets, wherever they appear. */
function redactorWith(before: Redact, targets: readonly Target[]): Redact {
  const ofUrls = createRedactor(
    targets.map(({ url }) => url),
    targets.map(({ name }) => name),
  );
  const secrets = targets.flatMap((target) => target.secrets);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "…"), ofUrls(before(text)));
}

function named(targets: readonly Target[], name: string): readonly Target[] {
  const found = targets.filter((target) => target.name === name);
  if (found.length > 0) return found;
  const known = targets.map((target) => target.name).join(", ");
  const problem = `has no target "${name}" (it has ${known})`;
  throw new SettingsError([problemWith("WEBHOOKS", problem, "Name one of these.")]);
}

async function deliver(targets: readonly Target[], settings: Settings, store: Store): Promise<number> {
  const log = createServiceLog(settings, redact);
  const stopping = stopRequest((cause) => {
    log.debug({ msg: "Stopping", cause });
    setTimeout(() => {
      log.warn({ msg: "Stopped without waiting any longer", afterMs: STOP_TIMEOUT });
      process.exit(0);
    }, STOP_TIMEOUT).unref();
  });
  const names = targets.map(({ name }) => name);
  const metrics = createWebhookMetrics(names, store);
  if (settings.webhooksMetricsPort !== null)
    serveMetrics(settings.webhooksMetricsPort, log, metrics.registry);
  const reader = readerOf(settings);
  const senders = targets.map((target) => ({ target, send: createSender(target) }));
  for (;;) {
    const lost = await store.turn(stopping, log);
    if (lost === null) return 0;
    const source = createReaderClient(reader, log, await readerKey(store).catch(() => null));
    log.info({ msg: "Delivering webhooks", targets: targets.length, reader, pid: process.pid });
    const signal = AbortSignal.any([stopping, lost]);
    const common = { store, source, log, signal };
    await Promise.all(
      senders.map((sender) => deliverTo({ ...sender, ...common, metrics: metrics.of(sender.target.name) })),
    );
    if (stopping.aborted) return 0;
    const ofDatabase = "The connection to the database was lost; webhooks go on when it is back";
    log.warn({ msg: lost.reason instanceof DataDirectoryError ? messageOf(lost.reason) : ofDatabase });
  }
}

async function checked(targets: readonly Target[], settings: Settings, store: Store): Promise<number> {
  await statusOf(targets, store);
  for (const { variable, warning } of warnOfModes(settings.webhooks === null ? [] : [settings.webhooks]))
    process.stderr.write(`${variable} ${warning}\n`);
  for (const { name, finality, start, url } of targets)
    print(`${name}: ${new URL(url).host}, ${finality} rows, from ${start} on\n`);
  print(`${settings.webhooks} can be used. Messages are made from ${readerOf(settings)}.\n`);
  return 0;
}

async function showStatus(targets: readonly Target[], store: Store, json: boolean): Promise<number> {
  const all = await statusOf(targets, store);
  print(json ? `${JSON.stringify(all, null, 2)}\n` : statusText(all));
  return 0;
}

async function retryLetters(targets: readonly Target[], store: Store): Promise<number> {
  const all = await retry(targets, store, (target) => createSender(target));
  for (const { name, taken, left, reason } of all)
    print(
      `${name}: ${taken} dead letters were taken, ${left} are left${reason === null ? "" : ` (${reason})`}\n`,
    );
  return all.every(({ left }) => left === 0) ? 0 : 1;
}

async function forgetTarget(name: string, store: Store): Promise<number> {
  if (!(await store.isFree()))
    return fail("A process delivers webhooks: stop it first, or it would save its position again.");
  if (!(await forget(name, store))) return fail(`Nothing is known of a target "${name}".`);
  print(`Forgotten. ${name} starts over as its entry says.\n`);
  return 0;
}

function fail(message: string): number {
  process.stderr.write(`${redact(message)}\n`);
  return 1;
}

function messageOf(error: unknown): string {
  if (error instanceof SettingsError) return `${error.message}\nnpm run deliver -- --help says more.`;
  if (error instanceof DataDirectoryError) return `RAISEBOOK_DATA_DIR ${error.message}`;
  return `Webhooks cannot be delivered: ${error instanceof Error ? error.message || String(error) : error}`;
}

function failed(error: unknown): number {
  if (!isService || process.env.LOG_FORMAT !== "json") return fail(messageOf(error));
  const write = (line: string) => void process.stdout.write(redact(line));
  const log = createLogger({ format: "json", level: "error", write });
  if (error instanceof SettingsError) reportProblems(error.problems, "json", { log });
  else log.error({ msg: messageOf(error) });
  return 1;
}

try {
  exitAfterOutput(await main());
} catch (error) {
  process.exit(failed(error));
}
