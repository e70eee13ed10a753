/**
 * The judge of a run. Safety: every answer, however bad the moment, is the model's at a block that there was, or one of the
 * documented refusals. Liveness: once the faults are over, the answers at the head are right within a patience, the service is ready
 * and its audit is green.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { differences } from "../model/differences.ts";
import { instant } from "../model/instant.ts";
import { compare, EVENTS, GRAPHQL, LEDGER, placed } from "./compare.ts";
import type { Expected } from "./expected.ts";
import { createFinalRows, type FinalRows } from "./final-rows.ts";
import type { RecordedBlock } from "./record.ts";
import type { Server, World } from "./world.ts";

/** The service was wrong: what, where, and by how much. */
export class RedError extends Error {
  override readonly name = "RedError";
  readonly details: readonly string[];
  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}

export type Judge = {
  /** Rejects with the first wrong answer. */
  readonly red: Promise<never>;
  /** Answers judged so far, and those of them that were refusals, by status or GraphQL's code. */
  counts(): { judged: number; refused: Readonly<Record<string, number>> };
  /** Nothing is judged in between: a node has lied, and no reader can know. */
  rest(): void;
  resume(): void;
  /** Resolves once all servers are right at the head, to the milliseconds that it took. @throws {RedError} after the patience */
  untilRight(patience?: number): Promise<number>;
  /** Resolves to what the audit finds at the head: nothing when it is green. @throws {RedError} without an audit in time */
  audit(): Promise<Finding[]>;
  stop(): Promise<void>;
};

export type Finding = { escrowAddress: string | null; onchainId: string | null };

/** Milliseconds. */
const INTERVAL = 100;
const PATIENCE = 240_000;
const BLOCK_TIME = 3_000;
const AUDIT_TIME = 15_000;
/** Until a block that the service shows must be recorded: it may hear of one first. */
const RECORDING = 3_000;
const TIMEOUT = 20_000;
const MARKET = ["/v1/listings", "/v1/originators", "/v1/stats"] as const;
const REFUSALS = [429, 503];
const GRAPHQL_REFUSALS = ["NOT_INDEXED_YET", "BACKFILLING", "REORGANISING", "DATABASE_SILENT"];
type Answer = { status: number; headers: Headers; text: string; askedAt: number; answeredAt: number };

export type JudgeParameters = {
  world: World;
  /** told, now and then, what is not right yet */
  onWait: (what: readonly string[]) => void;
  /** codes of troubles that outlast their faults */
  lasting?: readonly string[];
};

export function createJudge({ world, onWait, lasting = [] }: JudgeParameters): Judge {
  const { record, finality } = world.chain;
  const finalRows = new Map<Server, FinalRows>(
    world.servers.map((server) => [server, createFinalRows(finality)]),
  );
  const turned = Promise.withResolvers<never>();
  turned.promise.catch(() => {});
  const ending = new AbortController();
  let isResting = false;
  let judged = 0;
  const refused: Record<string, number> = {};

  const sample = async (server: Server) => {
    const paths = [...MARKET, LEDGER, "one listing", GRAPHQL];
    for (let turn = 0; !ending.signal.aborted; turn++) {
      await sleep(INTERVAL);
      if (isResting) continue;
      const path = paths[turn % paths.length];
      await look(server, path === "one listing" ? onePath(turn) : `${path}`);
    }
  };
  const onePath = (turn: number) => {
    const { listings } = world.registry();
    return `/v1/listings/${listings[turn % Math.max(1, listings.length)]?.publicId ?? "lst_none"}`;
  };

  const look = async (server: Server, path: string) => {
    const wasDown = server.mayBeDown();
    const answer = await ask(server, path).catch((error: Error) => error);
    if (isResting || ending.signal.aborted) return;
    if (answer instanceof Error) {
      if (!wasDown && !server.mayBeDown())
        throw new RedError(`${server.name} did not answer ${path}`, [causeOf(answer)]);
      return;
    }
    server.answered();
    judged += 1;
    if (answer.status !== 200 || (path === GRAPHQL && refusalOf(answer) !== null)) {
      const kind = answer.status === 200 ? refusalOf(answer) : `${answer.status}`;
      refused[`${kind}`] = (refused[`${kind}`] ?? 0) + 1;
      requireRefusal(server, path, answer);
      return;
    }
    await requireTrue(server, path, answer);
  };

  /** The answer must be the model's for some block of that number and time, and some registry that was in use. */
  const requireTrue = async (server: Server, path: string, answer: Answer) => {
    const number = answer.headers.get("x-indexed-block") ?? "";
    const at = answer.headers.get("x-indexed-at") ?? "";
    const deadline = performance.now() + RECORDING;
    for (;;) {
      const found = closest(path, answer, number, at);
      if (found === null) break;
      if (performance.now() < deadline && !ending.signal.aborted) {
        await sleep(50);
        continue;
      }
      if (isResting || ending.signal.aborted) return;
      throw new RedError(`${server.name} answered ${path} as of block ${number} (${at})`, found);
    }
    if (path !== LEDGER) return;
    const { events } = JSON.parse(answer.text);
    const predictions = [...predictionsOf(answer, number, at)];
    const wrong =
      finalRows.get(server)?.wrongIn(events, {
        ...{ asOf: BigInt(number), isWhole: events.length < EVENTS },
        isShown: (id) => predictions.every((prediction) => shows(prediction, id)),
      }) ?? [];
    if (wrong.length > 0 && !isResting)
      throw new RedError(`${server.name} answered ${path} as of block ${number} (${at})`, wrong);
  };

  /** The fewest differences from any prediction; null without any. */
  const closest = (path: string, answer: Answer, number: string, at: string): string[] | null => {
    const body = bodyOf(answer);
    let fewest: string[] | null = null;
    for (const prediction of predictionsOf(answer, number, at)) {
      const found = compare(path, prediction, body);
      if (found.length === 0) return null;
      if (fewest === null || found.length < fewest.length) fewest = found;
    }
    return fewest ?? ["there was no such block in any version of the chain"];
  };
  /** As of each block of that number and time, with each registry that was in use. */
  function* predictionsOf({ askedAt, answeredAt }: Answer, number: string, at: string): Generator<Expected> {
    for (const block of record.numbered(BigInt(number || 0))) {
      if (instant(block.timestamp) !== at) continue;
      for (const registry of world.registriesAt(block, askedAt, answeredAt))
        yield world.expected(block, registry);
    }
  }

  const untilRight = async (patience = PATIENCE) => {
    const startedAt = performance.now();
    let minedAt = startedAt;
    let last: string[] = [];
    while (performance.now() - startedAt < patience && !ending.signal.aborted) {
      const found = await Promise.all(world.servers.map((server) => wrongAt(server)));
      last = found.flat();
      if (last.length === 0) return performance.now() - startedAt;
      await sleep(100);
      // No chain stops for long, and over a WebSocket only its next block shows its position.
      if (performance.now() - minedAt < BLOCK_TIME) continue;
      onWait(last);
      await world.chain.idle();
      minedAt = performance.now();
    }
    throw new RedError(`not right within ${patience / 1000} s after the last fault`, last);
  };

  /** The faults of a server at the head, once the world has none. */
  const wrongAt = async (server: Server): Promise<string[]> => {
    const head = record.head();
    const due = finality.due();
    const said = (what: string[]) => what.map((line) => `${server.name} ${line}`);
    try {
      const ready = await ask(server, "/v1/ready");
      if (ready.status !== 200) return said([`is not ready: ${ready.text}`]);
      const expected = world.expected(head, world.registry());
      for (const path of MARKET) {
        const answer = await ask(server, path);
        const found = atHead(answer, head) ?? compare(path, expected, bodyOf(answer));
        if (found.length > 0) return said([path, ...found]);
      }
      for (const [id, schedule] of Object.entries(expected.schedules)) {
        const answer = await ask(server, `/v1/listings/${id}/schedule`);
        const found = atHead(answer, head) ?? differences(schedule, bodyOf(answer));
        if (found.length > 0) return said([`schedule of ${id}`, ...found]);
      }
      const health = await ask(server, "/v1/health");
      const { troubles } = JSON.parse(health.text) as { troubles: { code: string }[] };
      // A refused registry or a red audit is over with the fault.
      const codes = troubles.map(({ code }) => code).filter((code) => !lasting.includes(code));
      if (codes.join() !== (finality.isStalled() ? "finality_stalled" : ""))
        return said([`says ${health.text}`]);
      const events = await wholeLedger(server);
      const rows = finalRows.get(server);
      const about = { asOf: head.number, isWhole: true, isShown: (id: unknown) => shows(expected, id) };
      const wrong = rows?.wrongIn(events, about) ?? [];
      if (wrong.length > 0) turned.reject(new RedError(`${server.name} answered /v1/events`, wrong));
      return said([
        ...differences(expected.events, events.map(placed)),
        ...(rows?.missingIn(events, due) ?? []),
      ]);
    } catch (error) {
      return said([causeOf(error)]);
    }
  };

  const wholeLedger = async (server: Server): Promise<Record<string, unknown>[]> => {
    const events: Record<string, unknown>[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const answer = await ask(server, `/v1/events?limit=200${next && `&cursor=${next}`}`);
      if (answer.status !== 200) throw new Error(`/v1/events: ${answer.status} ${answer.text}`);
      const body = JSON.parse(answer.text);
      events.push(...body.events);
      next = body.page.nextCursor;
    }
    return events;
  };

  const audit = async () => {
    const startedAt = performance.now();
    let minedAt = startedAt;
    let last = "no answer";
    while (performance.now() - startedAt < PATIENCE) {
      try {
        await fetch(`${world.operatorUrl}/audit`, { method: "POST" });
        const response = await fetch(`${world.operatorUrl}/audit`);
        last = await response.text();
        const state = JSON.parse(last);
        const isOfHead = state.running === null && BigInt(state.last?.block ?? 0) === record.head().number;
        if (isOfHead && state.last.status !== "failed") return state.last.findings as Finding[];
      } catch (error) {
        last = causeOf(error);
      }
      await sleep(200);
      // As above; an audit takes a while.
      if (performance.now() - minedAt < AUDIT_TIME) continue;
      await world.chain.idle();
      minedAt = performance.now();
    }
    throw new RedError(`no audit of the head within ${PATIENCE / 1000} s`, [last]);
  };

  const samplers = world.servers.map((server) => sample(server).catch((error) => turned.reject(error)));
  return {
    red: turned.promise,
    counts: () => ({ judged, refused }),
    rest() {
      isResting = true;
    },
    resume() {
      isResting = false;
    },
    untilRight,
    audit,
    async stop() {
      ending.abort();
      await Promise.all(samplers);
    },
  };
}

async function ask({ url }: Server, path: string): Promise<Answer> {
  const askedAt = performance.now();
  const headers = { Accept: "application/json" };
  const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, askedAt, answeredAt: performance.now() };
}

function shows({ listings }: Expected, id: unknown): boolean {
  return listings.listings.some(({ publicId }) => publicId === id);
}

/** Without what is not of the block alone: when its events become final. */
function bodyOf({ text }: Answer) {
  return JSON.parse(text, (key, value) => (key === "finality" ? "final" : value));
}

/** 429 and 503 are documented, with a reason and a time; a listing may be unknown at the block; all else is a defect. */
function requireRefusal(server: Server, path: string, { status, headers, text }: Answer): void {
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json");
  if (isProblem && status === 404 && path.startsWith("/v1/listings/")) return;
  if (path === GRAPHQL && GRAPHQL_REFUSALS.includes(refusalOf({ text }) ?? "")) return;
  if (isProblem && REFUSALS.includes(status) && headers.get("retry-after") !== null) return;
  throw new RedError(`${server.name} answered ${path} with ${status}`, [text.slice(0, 500)]);
}

/** The code of the error that a GraphQL answer has in place of the events; null when it has them. */
function refusalOf({ text }: Pick<Answer, "text">): string | null {
  const { data, errors } = JSON.parse(text);
  return data?.events ? null : `${errors?.[0]?.extensions?.code}`;
}

/** The faults of an answer that is not as of the head; null if it is. */
function atHead({ status, headers, text }: Answer, head: RecordedBlock): string[] | null {
  if (status !== 200) return [`${status} ${text.slice(0, 300)}`];
  const number = headers.get("x-indexed-block");
  if (number === `${head.number}` && headers.get("x-indexed-at") === instant(head.timestamp)) return null;
  return [`is as of block ${number}; the head is ${head.number}`];
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause === undefined ? `${message}` : `${message}: ${cause}`;
}
