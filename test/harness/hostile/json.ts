/**
 * Malicious JSON as text: names twice over, names that change an object, numbers that no
 * number holds, depth without end, and what is no JSON at all.
 * @module
 */
import fc from "fast-check";
import { hostileText, PROTOTYPE_NAMES } from "./text.ts";

const DEPTH = 10_000;

/** A text as JSON; with a lone surrogate as its escape. */
export function jsonText(text: string): string {
  return JSON.stringify(text);
}

/** Values that nest as deep as a body can hold. */
const DEEP_VALUES = [
  "[".repeat(DEPTH) + "]".repeat(DEPTH),
  `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`,
  `${'[{"__proto__":'.repeat(3_000)}1${"}]".repeat(3_000)}`,
];

const NUMBERS = [
  "-0",
  "1e999",
  "-1e999",
  "9".repeat(400),
  "0.1e-400",
  "1.5",
  "-1",
  "2147483648",
  "9007199254740993",
];

const scalar = fc.oneof(
  { weight: 4, arbitrary: hostileText.map(jsonText) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("null", "true", "false", "0", "1", '""', "[]", "{}", "[null]", "[[]]"),
  },
);

const name = fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), hostileText);

/** Any JSON value, as text. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }).map((items) => `[${items.join(",")}]`) },
  { weight: 2, arbitrary: fc.array(fc.tuple(name, scalar), { maxLength: 4 }).map(jsonObject) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...DEEP_VALUES,
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"toString":1,"valueOf":null,"toJSON":{}}',
      '{"length":1e9}',
      `[${Array(5_000).fill("1").join(",")}]`,
      `"${"x".repeat(50_000)}"`,
      `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":${index}`).join(",")}}`,
    ),
  },
);

/** An object of members whose values are JSON already; a name may stand in it twice. */
export function jsonObject(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, value]) => `${jsonText(key)}:${value}`).join(",")}}`;
}

/** Bodies that are no JSON, no UTF-8, or no object. */
export const brokenBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    ...[
      "",
      " ",
      "{",
      "[",
      "nul",
      "{'a':1}",
      '{"a":1,}',
      "\uFEFF{}",
      "{}{}",
      "NaN",
      "undefined",
      "\u0000",
      '"\\ud8"',
    ],
    ...[
      "[]",
      "[[]]",
      "null",
      "1",
      '"text"',
      "true",
      "<?xml version='1.0'?><a/>",
      "a=b&c=d",
      "--x\r\n\r\n--x--",
    ],
    '{"a":"\u0000"}',
    "[".repeat(60_000),
    '{"a":'.repeat(10_000),
    ...DEEP_VALUES,
    Buffer.from([0xc0, 0xaf, 0xff, 0xfe]),
    Buffer.from('{"jsonrpc":"2.0"}', "utf16le"),
    Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00]),
    Buffer.from([...Buffer.from('{"query":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    Buffer.alloc(64 * 1024 + 1, "x"),
    Buffer.alloc(1_000_000, "["),
    Buffer.from(`{"query":"${"x".repeat(1_000_000)}"}`),
    Buffer.alloc(3_000, 0),
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => text.slice(0, -1)),
  hostileJson,
);
