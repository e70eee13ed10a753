/** @module How an event follows from its log under a contracts module: which arguments each of its fields is. */
import type { AbiEvent, AbiParameter } from "viem";
import type { FollowedEvent, LogPlace } from "../../src/contracts/compile.ts";
import { scaleOf } from "../../src/contracts/market-event.ts";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS } from "../../src/fold/event-kinds.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";

/** The sources of an event's fields. An argument within a tuple or list is named by its path, such as `terms.goal`. */
export type Mapping = {
  /** of the amounts in the log; the fields have 18 */
  decimals: number;
  /** the argument that is the raise's id; null when none is */
  onchainId: string | null;
  /** By field, the arguments whose sum it is, each with a minus sign where it is taken away. Without fields that are computed otherwise. */
  fields: Readonly<Record<string, readonly string[]>>;
};

/** A parameter of an event, without the compiler's own names of its types. */
type AbiInput = { name: string; type: string; indexed?: boolean; components?: AbiInput[] };

export type EventAbi = { type: "event"; name: string; inputs: AbiInput[] };

export function eventAbiOf({ name, inputs }: AbiEvent): EventAbi {
  return { type: "event", name, inputs: inputs.map(inputOf) };
}

function inputOf(parameter: AbiParameter & { indexed?: boolean | undefined }): AbiInput {
  const { name = "", type, indexed } = parameter;
  return {
    ...{ name, type },
    ...(indexed === undefined ? {} : { indexed }),
    ...("components" in parameter ? { components: parameter.components.map(inputOf) } : {}),
  };
}

type Path = readonly (string | number)[];
type Values = ReadonlyMap<string, unknown>;

const ONCHAIN_ID = "onchainId";

type MappingParameters = {
  args: unknown;
  place: LogPlace;
  part: number;
  kind: EventKind;
  decimals: number;
};

/**
 * Finds the arguments by changing one after another: a handler is pure, so a field that follows a change comes from that argument.
 * @param args of the log, as viem decodes them
 * @param part the event's place among those of the log
 */
export function mappingOf(
  { map }: Pick<FollowedEvent, "map">,
  { args, place, part, kind, decimals }: MappingParameters,
): Mapping {
  const parts = new Map<string, { names: string[]; sum: bigint | null }>();
  const amounts = amountsOf(kind);
  const valuesWith = (changed: unknown): Values => {
    const mapped = map(changed, place)[part];
    if (mapped?.content.event.kind !== kind) return new Map();
    const { content } = mapped;
    const values = new Map(
      Object.entries<unknown>({ ...content.event.args, ...termsIn(content.event.args) }),
    );
    if (content.source === "escrow") values.set(ONCHAIN_ID, content.onchainId);
    return values;
  };
  const before = valuesWith(args);
  for (const [path, value] of leavesOf(args, [])) {
    const other = changedFrom(value);
    if (other === null) continue;
    const after = valuesWith(withLeaf(args, path, other));
    for (const [field, was] of before) {
      const is = after.get(field);
      if (is === undefined || is === was) continue;
      const scale = amounts.has(field) ? scaleOf(decimals) : 1n;
      const sign = signOf({ was, is, value, other, scale });
      if (sign === null) continue;
      const { names, sum } = parts.get(field) ?? { names: [], sum: 0n };
      const part = isNumber(value) ? BigInt(`${sign}1`) * BigInt(value) * scale : null;
      parts.set(field, {
        names: [...names, `${sign === "-" ? "-" : ""}${path.join(".")}`],
        sum: sum === null || part === null ? null : sum + part,
      });
    }
  }
  /** The arguments of a field, if they are all that it is made of. */
  const namesOf = (field: string): string[] | null => {
    const { names, sum } = parts.get(field) ?? { names: [], sum: null };
    const value = before.get(field);
    const isAll = sum === null ? names.length === 1 : isNumber(value) && BigInt(value) === sum;
    return isAll ? names : null;
  };
  const [id = null, ...others] = namesOf(ONCHAIN_ID) ?? [];
  const fields = argumentsOf(kind).flatMap(([argument, { name = argument }]) => {
    const names = namesOf(argument);
    return names === null ? [] : [[name, names]];
  });
  const isNamed = id !== null && others.length === 0 && !id.startsWith("-");
  return { decimals, onchainId: isNamed ? id : null, fields: Object.fromEntries(fields) };
}

function argumentsOf(kind: EventKind): [string, ArgumentDescriptor][] {
  return Object.entries<ArgumentDescriptor>(EVENT_DESCRIPTORS[kind].args).filter(
    // The reference number is the listing's, and the words are the module's.
    ([, { unit }]) => unit !== "refnum" && unit !== "word" && unit !== "text",
  );
}

function amountsOf(kind: EventKind): ReadonlySet<string> {
  const amounts = argumentsOf(kind).filter(([, { unit }]) => unit === "dollars" || unit === "tokens");
  return new Set(amounts.map(([name]) => name));
}

function termsIn(args: object): object {
  return "terms" in args && typeof args.terms === "object" ? (args.terms ?? {}) : {};
}

function isNumber(value: unknown): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

/** Whether a field follows an argument, and in which direction; null if it does not follow it as it is. */
function signOf({
  was,
  is,
  value,
  other,
  scale,
}: Record<"was" | "is" | "value" | "other", unknown> & { scale: bigint }): "+" | "-" | null {
  if (!isNumber(value) || !isNumber(other)) return sameText(was, value) && sameText(is, other) ? "+" : null;
  if (!isNumber(was) || !isNumber(is)) return null;
  const moved = BigInt(is) - BigInt(was);
  const by = (BigInt(other) - BigInt(value)) * scale;
  if (moved === by) return "+";
  return moved === -by ? "-" : null;
}

function sameText(field: unknown, argument: unknown): boolean {
  return `${field}`.toLowerCase() === `${argument}`.toLowerCase();
}

/** Another value of the same type; null for a text, which no field follows. */
function changedFrom(value: unknown): unknown {
  if (typeof value === "bigint") return value > 0n ? value - 1n : value + 1n;
  if (typeof value === "number") return value > 0 ? value - 1 : value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]+$/.test(value)) return null;
  return `${value.slice(0, -1)}${value.endsWith("1") ? "2" : "1"}`;
}

function* leavesOf(value: unknown, path: Path): Generator<[Path, unknown]> {
  if (typeof value !== "object" || value === null) yield [path, value];
  else for (const [name, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, name]);
}

function withLeaf(value: unknown, [name, ...rest]: Path, leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[name] = withLeaf(copy[name], rest, leaf);
  return copy;
}
