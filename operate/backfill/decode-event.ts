/**
 * Decodes the data of most logs several times as quickly as Ponder's decoder: words of integers, addresses, booleans and bytes, structs of
 * such, and texts in ASCII. Anything else is left to Ponder, so that its results and refusals are the only ones.
 * @module
 */
import type { AbiEvent, AbiParameter, Hex } from "viem";

type Content = { readonly topics: readonly Hex[]; readonly data: Hex };
/** A value in hex in lowercase, at a place of the text; undefined if Ponder has to judge it. */
type Read = (text: string, at: number) => unknown;
type Field = { readonly name: string; readonly at: number; readonly read: Read };

const WORD = 64;
const DATA = /^0x[0-9a-f]*$/;
const TOPIC = /^0x[0-9a-f]{64}$/;
const NAME = /^(?!__proto__$)[A-Za-z$_][\w$]*$/;
const [ZERO, DIGIT_BITS] = [0x30, 4];
/** Digits of the largest number that is surely exact as one. */
const EXACT_DIGITS = 13;
/** From this many bits on, integers are bigints. */
const MOST_NUMBER_BITS = 48;

/**
 * Creates a decoder for one event.
 * @returns null if Ponder has to decode every log of this event; the decoder returns undefined for a single log that Ponder has to decode
 */
export function createDecoder({
  inputs,
}: AbiEvent): ((log: Content) => Record<string, unknown> | undefined) | null {
  const indexed = inputs.filter((input) => input.indexed === true);
  const others = inputs.filter((input) => input.indexed !== true);
  if (inputs.length === 0 || indexed.some(({ type }) => type === "string")) return null;
  // A tuple as a topic is its hash.
  if (indexed.some((input) => "components" in input)) return null;
  const topicFields = indexed.map((input) => fieldsOf([input], 2)?.fields);
  const data = fieldsOf(others, 2);
  const names = new Set(inputs.map(({ name }) => name));
  if (data === null || names.size < inputs.length) return null;
  const inTopics = topicFields.flatMap((fields) => fields ?? []);
  if (inTopics.length < indexed.length) return null;
  const { fields, words } = data;

  return ({ topics, data }) => {
    const args: Record<string, unknown> = {};
    let place = 0;
    for (const { name, at, read } of inTopics) {
      place += 1;
      const topic = topics[place];
      if (topic === undefined || !TOPIC.test(topic)) return undefined;
      const value = read(topic, at);
      if (value === undefined) return undefined;
      args[name] = value;
    }
    if (fields.length === 0) return args;
    if (data.length < 2 + WORD * words || !DATA.test(data)) return undefined;
    return readInto(args, fields, data) ? args : undefined;
  };
}

function readInto(into: Record<string, unknown>, fields: readonly Field[], text: string): boolean {
  for (const { name, at, read } of fields) {
    const value = read(text, at);
    if (value === undefined) return false;
    into[name] = value;
  }
  return true;
}

/** The places of parameters in a text that begins with them at `start`; null if one of them is not read here. */
function fieldsOf(
  parameters: readonly AbiParameter[],
  start: number,
): { fields: Field[]; words: number } | null {
  const fields: Field[] = [];
  let words = 0;
  for (const parameter of parameters) {
    const { name } = parameter;
    const at = start + WORD * words;
    if (name === undefined || !NAME.test(name)) return null;
    if (parameter.type === "tuple" && "components" in parameter) {
      const inner = fieldsOf(parameter.components, at);
      // A text in a struct moves the struct.
      if (inner === null || inner.words === 0 || hasText(parameter.components)) return null;
      words += inner.words;
      fields.push({ name, at, read: structReader(inner.fields) });
      continue;
    }
    const read = readerOf(parameter.type);
    if (read === null) return null;
    words += 1;
    fields.push({ name, at, read });
  }
  if (new Set(fields.map(({ name }) => name)).size < fields.length) return null;
  return { fields, words };
}

const hasText = (parameters: readonly AbiParameter[]): boolean =>
  parameters.some((one) => one.type === "string" || ("components" in one && hasText(one.components)));

function structReader(fields: readonly Field[]): Read {
  return (text) => {
    const value: Record<string, unknown> = {};
    return readInto(value, fields, text) ? value : undefined;
  };
}

function readerOf(type: string): Read | null {
  if (type === "address") return (text, at) => `0x${text.slice(at + 24, at + WORD)}`;
  if (type === "bool") return booleanAt;
  if (type === "string") return textAt;
  const [, kind, size] = /^(uint|bytes)(\d+)$/.exec(type) ?? [];
  if (kind === "uint") return Number(size) > MOST_NUMBER_BITS ? bigintAt : numberAt;
  if (kind !== "bytes") return null;
  const digits = 2 * Number(size);
  return (text, at) => `0x${text.slice(at, at + digits)}`;
}

/** The first digit of the word that is not zero; its end if there is none. */
function startOf(text: string, at: number): number {
  let start = at;
  while (start < at + WORD && text.charCodeAt(start) === ZERO) start += 1;
  return start;
}

function numberFrom(text: string, start: number, end: number): number {
  let value = 0;
  for (let place = start; place < end; place += 1) {
    const code = text.charCodeAt(place);
    value = value * 2 ** DIGIT_BITS + (code < 0x3a ? code - ZERO : code - 0x57);
  }
  return value;
}

function numberAt(text: string, at: number): number | undefined {
  const start = startOf(text, at);
  return at + WORD - start > EXACT_DIGITS ? undefined : numberFrom(text, start, at + WORD);
}

function bigintAt(text: string, at: number): bigint {
  const start = startOf(text, at);
  const end = at + WORD;
  return BigInt(end - start > EXACT_DIGITS ? `0x${text.slice(start, end)}` : numberFrom(text, start, end));
}

function booleanAt(text: string, at: number): boolean | undefined {
  const value = numberAt(text, at);
  return value === 0 || value === 1 ? value === 1 : undefined;
}

function textAt(text: string, at: number): string | undefined {
  const offset = numberAt(text, at);
  if (offset === undefined || text.length < 2 + 2 * offset + WORD) return undefined;
  const start = 2 + 2 * offset;
  const length = numberAt(text, start);
  if (length === undefined || text.length < start + WORD + 2 * length) return undefined;
  let value = "";
  for (let place = start + WORD; value.length < length; place += 2) {
    const code = numberFrom(text, place, place + 2);
    if (code >= 0x80) return undefined;
    value += String.fromCharCode(code);
  }
  return value;
}
