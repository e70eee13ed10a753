/** @module The positions of the targets, and their dead letters. */
import { type DeadLetter, deadLetter, KEYS, targetState } from "./message.ts";
import type { Send } from "./send.ts";
import type { Store } from "./store.ts";
import type { Target } from "./targets.ts";

/** The output of `--json`. Times are ISO 8601, by the machine's clock. */
export type TargetStatus = {
  readonly name: string;
  /** whether the file still contains it */
  readonly isConfigured: boolean;
  /** the row up to which the stream was followed; null before the first start, `0` before the first row */
  readonly cursor: string | null;
  /** the pending message; null if there is none */
  readonly waiting: (Failing & { next: string }) | null;
  readonly deadLetters: readonly (Failing & { givenUpAt: string })[];
};

type Failing = { id: string; since: string; failures: number; reason: string | null };

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();

export async function statusOf(targets: readonly Target[], store: Store): Promise<readonly TargetStatus[]> {
  const states = new Map(await store.entries(KEYS.states));
  const letters = await deadLettersIn(store);
  const configured = targets.map(({ name }) => name);
  const names = new Set([...configured, ...states.keys(), ...letters.keys()]);
  return [...names].map((name) => {
    const known = states.get(name);
    const at = known === undefined ? null : targetState.parse(known);
    const sending = at?.sending ?? null;
    return {
      ...{ name, isConfigured: configured.includes(name), cursor: at?.cursor ?? null },
      waiting: sending && {
        ...{ id: sending.id, since: timeOf(sending.since), failures: sending.failures },
        ...{ reason: sending.reason, next: timeOf(sending.notBefore) },
      },
      deadLetters: (letters.get(name) ?? []).map(({ id, since, givenUpAt, failures, reason }) => ({
        ...{ id, since: timeOf(since), givenUpAt: timeOf(givenUpAt), failures, reason },
      })),
    };
  });
}

/** By target, oldest first. */
async function deadLettersIn(store: Store): Promise<Map<string, DeadLetter[]>> {
  const all = (await store.entries(KEYS.deadLetters)).map(
    ([key, value]) => [key.split("/")[0] ?? "", deadLetter.parse(value)] as const,
  );
  const sorted = all.toSorted(([, one], [, other]) => one.givenUpAt - other.givenUpAt);
  const grouped = Map.groupBy(sorted, ([name]) => name);
  return new Map([...grouped].map(([name, some]) => [name, some.map(([, letter]) => letter)]));
}

function waitingText({ id, since, failures, reason, next }: NonNullable<TargetStatus["waiting"]>): string {
  if (failures === 0 && reason === null) return `  sending ${id}`;
  return `  not taken: ${id}, ${failures} times since ${since} (${reason}); next attempt ${next}`;
}

export function statusText(all: readonly TargetStatus[]): string {
  const lines = all.flatMap(({ name, isConfigured, cursor, waiting, deadLetters }) => [
    `${name}${isConfigured ? "" : " (not in the file any more)"}: ${cursor === null ? "has not begun" : `followed up to row ${cursor}`}`,
    ...(waiting === null ? [] : [waitingText(waiting)]),
    ...deadLetters.map(
      ({ id, givenUpAt, failures, reason }) =>
        `  dead letter: ${id}, given up ${givenUpAt} after ${failures} attempts (${reason})`,
    ),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

type Retried = { name: string; taken: number; left: number; reason: string | null };

/** Sends the dead letters of each target in order, up to the first that is not accepted. */
export async function retry(
  targets: readonly Target[],
  store: Store,
  senderOf: (target: Target) => Send,
): Promise<readonly Retried[]> {
  const letters = await deadLettersIn(store);
  const retried = targets.map(async (target): Promise<Retried> => {
    const own = letters.get(target.name) ?? [];
    const send = senderOf(target);
    for (const [taken, letter] of own.entries()) {
      const outcome = await send(letter);
      if (outcome.kind !== "taken") {
        const reason = outcome.kind === "gone" ? "410" : outcome.reason;
        return { name: target.name, taken, left: own.length - taken, reason };
      }
      await store.remove(KEYS.deadLetter(target.name, letter.id));
    }
    return { name: target.name, taken: own.length, left: 0, reason: null };
  });
  return Promise.all(retried);
}

/** Removes all stored data of a target. @returns whether there was any */
export async function forget(name: string, store: Store): Promise<boolean> {
  const prefixes = [KEYS.lastRow(name, ""), KEYS.deadLetter(name, "")];
  const found = await Promise.all(
    prefixes.map(async (prefix) => (await store.entries(prefix)).map(([rest]) => prefix + rest)),
  );
  const isKnown = (await store.get(KEYS.state(name))) !== null;
  for (const key of [...found.flat(), KEYS.listings(name), KEYS.state(name)]) await store.remove(key);
  return isKnown || found.flat().length > 0;
}
