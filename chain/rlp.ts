/**
 * RLP (Yellow Paper, appendix B) of hex from endpoints. It is joined as digits that become bytes all at once: a call into Node for
 * each field costs more than its digits.
 * @module
 */
import type { Hex } from "viem";

/** Bytes, or a list of such. */
export type Item = Hex | readonly Item[];

/** First bytes of strings and lists; from this many bytes on the length has bytes of its own, whose number is in the first one. */
const STRING = 0x80;
const LIST = 0xc0;
const LONG = 56;
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * In hex. Whether a character is a hex digit is checked by {@link bytesOf}, so nothing is hashed without it.
 * @throws {TypeError} when something in it is no list, and no text of `0x` and two characters for each byte
 */
export function encodeRlp(item: Item): Hex {
  return `0x${encoded(item)}`;
}

/** @throws {TypeError} unless it is `0x` and two hex digits for each byte */
export function bytesOf(value: Hex): Buffer {
  const digits = digitsOf(value);
  const bytes = Buffer.from(digits, "hex");
  // Node stops at other characters, but reads only the low byte of each: U+0130 passes for "0".
  if (2 * bytes.length !== digits.length || Buffer.byteLength(digits) !== digits.length)
    throw new TypeError("not hex");
  return bytes;
}

/** A number as bytes without leading zeros: none for 0. @throws {TypeError} when it does not begin with `0x` */
export function quantity(value: Hex): Hex {
  if (!isPrefixed(value)) throw new TypeError("no number in hex");
  return `0x${padded(value.slice(2).replace(/^0+/, ""))}`;
}

function encoded(item: Item): string {
  if (typeof item === "string") {
    const digits = digitsOf(item);
    const isItself = digits.length === 2 && digits < "80";
    return isItself ? digits : head(STRING, digits.length / 2) + digits;
  }
  let items = "";
  for (const one of item) items += encoded(one);
  return head(LIST, items.length / 2) + items;
}

function head(kind: number, length: number): string {
  if (length < LONG) return BYTES[kind + length] ?? "";
  const digits = padded(length.toString(16));
  return BYTES[kind + LONG - 1 + digits.length / 2] + digits;
}

const padded = (digits: string): string => (digits.length % 2 === 0 ? digits : `0${digits}`);

function digitsOf(value: Hex): string {
  if (!isPrefixed(value) || value.length % 2 !== 0) throw new TypeError("no bytes in hex");
  return value.slice(2);
}

/** Endpoints may answer with anything, whatever the type says. */
const isPrefixed = (value: unknown): boolean =>
  typeof value === "string" && value[0] === "0" && value[1] === "x";
