/** @module Examines a set-up from its environment: reads, and changes nothing. */
import type { Environment } from "../../config/environment.ts";
import { redactorOf } from "../../config/redact.ts";
import { examineContracts } from "./contracts.ts";
import { examineDatabase } from "./database.ts";
import { examineEndpoints } from "./endpoints.ts";
import { examineEnvironment, examineLinks, examineWebhooks } from "./environment.ts";
import type { Fact, Finding, Notes } from "./notes.ts";
import { examinePublicAddress } from "./public-address.ts";
import { examineRegistry } from "./registry.ts";
import { examineService } from "./service.ts";

const TIMEOUT = 10_000;

export type Report = {
  /** Problems first. Without any the set-up is healthy. */
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  /** whether all was looked at: not with settings that cannot be used, and not without a usable endpoint */
  readonly isWhole: boolean;
};

export type ExamineOptions = {
  /** milliseconds for each answer of another program */
  readonly timeout?: number;
  /** Unix seconds, by the machine's clock: here alone it is asked for. */
  readonly now?: () => number;
  /** files that the environment was read from; their modes are checked */
  readonly files?: readonly string[];
  readonly onProgress?: (done: number, total: number) => void;
};

/** Nothing of the report is secret. */
export async function examine(env: Environment, options: ExamineOptions = {}): Promise<Report> {
  const { timeout = TIMEOUT, now = () => Date.now() / 1000, files = [], onProgress = () => {} } = options;
  const { notes: environment, settings } = await examineEnvironment(env, files);
  if (settings === null) return reportOf([environment], { isWhole: false });
  let done = 1;
  let total = 1;
  const step = <Result>(examination: Promise<Result>): Promise<Result> => {
    total += 1;
    return examination.finally(() => {
      done += 1;
      onProgress(done, total);
    });
  };
  const endpoints = step(examineEndpoints(settings, { timeout, now }));
  const contracts = step(endpoints.then(({ chain }) => examineContracts(settings, chain)));
  const service = step(examineService(settings, timeout));
  const database = Promise.all([endpoints, service]).then(([{ chain }, { running }]) =>
    examineDatabase(settings, { timeout, node: chain.nodes[0] ?? null, isRunning: running !== null }),
  );
  const registry = Promise.all([endpoints, contracts]).then(([{ chain }, { blamed }]) =>
    examineRegistry(settings, chain, blamed),
  );
  const publicAddress = service.then(({ running }) =>
    examinePublicAddress(settings, { timeout, now, running }),
  );
  const examined = await Promise.all([
    endpoints.then(({ notes }) => notes),
    contracts.then(({ notes }) => notes),
    step(database),
    step(registry),
    step(examineLinks(settings, timeout)),
    step(examineWebhooks(settings)),
    service.then(({ notes }) => notes),
    step(publicAddress),
  ]);
  const redact = redactorOf(settings);
  const report = reportOf([environment, ...examined], { isWhole: (await endpoints).chain.nodes.length > 0 });
  return JSON.parse(JSON.stringify(report), (_, value: unknown) =>
    typeof value === "string" ? redact(value) : value,
  ) as Report;
}

function reportOf(examined: readonly Notes[], { isWhole }: Pick<Report, "isWhole">): Report {
  const findings = examined.flatMap((notes) => notes.findings);
  const isProblem = ({ severity }: Finding) => severity === "problem";
  return {
    findings: [...findings.filter(isProblem), ...findings.filter((one) => !isProblem(one))],
    facts: examined.flatMap(({ facts }) => facts),
    isWhole,
  };
}
