/**
 * Rows as bytes. With a million raises a quarter of an indexing's time went into the bytes of their rows, so values are read and written
 * without intermediate strings, and short ones without calls into Node.
 * @module
 */

/** The first byte of a value, which tells what follows. */
const KIND = {
  null: 0,
  false: 1,
  true: 2,
  /** 8 bytes */
  number: 3,
  /** 4 to 20: a bigint of 0 to 16 bytes, the lowest first */
  integer: 4,
  /** `0x`, as addresses and hashes begin: a number of digits, of one byte, and half a byte each */
  hex: 21,
  /** the same without `0x`, as ids of events are */
  digits: 22,
  /** the same of a larger bigint */
  large: 23,
  /** as `large`, without its sign */
  negative: 24,
  /** one byte: its place among the texts that come often */
  known: 25,
  /** a length of four bytes, and UTF-8 */
  text: 26,
} as const;

const MOST_SMALL = 2n ** 64n - 1n;
const MOST_INTEGER = 2n ** 128n - 1n;
/** Digits whose number is one byte. */
const MOST_DIGITS = 255;
/**
 * Texts that get a byte, the first ones that come: names and addresses that many rows have are among them. Half of them are without a
 * digit: ids and hashes come once, and would leave no room for words that come later.
 */
const MOST_KNOWN = 256;
const HAS_DIGIT = /\d/;
/** Characters of such a text: an address has no more. */
const LONGEST_KNOWN = 42;

/** Values of the digits by their codes; a value of more than four bits is no digit. */
const NO_DIGIT = 16;
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(code));
  return digit === -1 ? NO_DIGIT : digit;
});

type RowCodecOptions = {
  /** the columns of an earlier codec whose bytes are read; those of the first row that is packed by default */
  names?: readonly string[] | undefined;
  /** Without `known` texts, equal rows have equal bytes in all codecs with the same columns. */
  mostKnown?: number;
};

/** Rows of one table: all have the same columns, with null, booleans, numbers, bigints and texts in them. */
export function createRowCodec<Row extends object>({
  names: earlier = [],
  mostKnown = MOST_KNOWN,
}: RowCodecOptions = {}) {
  let columns: readonly string[] = [];
  /** Made of the names of the columns, as one access for each is many times as quick as a loop over names. */
  let readRow: (read: () => unknown) => object = Object;
  let writeRow: (row: object, write: (value: unknown) => void) => void = () => {};
  const known: string[] = [];
  const places = new Map<string, number>();
  const words = new DataView(new ArrayBuffer(16));
  const wordBytes = new Uint8Array(words.buffer);
  let bytes = Buffer.alloc(1_024);
  let at = 0;
  /** the bytes being read */
  let from: Buffer = bytes;
  let next = 0;

  const makeRoom = (length: number) => {
    if (at + length <= bytes.length) return;
    bytes = Buffer.concat([bytes], 2 * (at + length));
  };

  /** @returns false, with nothing written, unless all characters from a place on are lowercase hexadecimal digits, and few */
  const writeDigits = (kind: number, text: string, start: number): boolean => {
    const count = text.length - start;
    if (count > MOST_DIGITS) return false;
    const into = bytes;
    let place = at + 2;
    for (let index = start; index < text.length; index += 2, place += 1) {
      const digit = digitAt(text, index);
      const other = index + 1 < text.length ? digitAt(text, index + 1) : 0;
      if ((digit | other) >= NO_DIGIT) return false;
      into[place] = (digit << 4) | other;
    }
    into[at] = kind;
    into[at + 1] = count;
    at = place;
    return true;
  };

  const writeInteger = (value: bigint) => {
    if (value < 0n || value > MOST_INTEGER) {
      const [kind, size] = value < 0n ? [KIND.negative, -value] : [KIND.large, value];
      if (!writeDigits(kind, size.toString(16), 0))
        throw new RangeError("a row has a number that is too large");
      return;
    }
    words.setBigUint64(0, value, true);
    let length = 8;
    if (value > MOST_SMALL) {
      words.setBigUint64(8, value >> 64n, true);
      length = 16;
    }
    while (length > 0 && wordBytes[length - 1] === 0) length -= 1;
    bytes[at] = KIND.integer + length;
    at += 1;
    for (let index = 0; index < length; index += 1) bytes[at + index] = wordBytes[index] as number;
    at += length;
  };

  const writeText = (value: string) => {
    const place = mostKnown > 0 && value.length <= LONGEST_KNOWN ? placeOf(value) : undefined;
    if (place !== undefined) {
      bytes[at] = KIND.known;
      bytes[at + 1] = place;
      at += 2;
      return;
    }
    makeRoom(5 + 3 * value.length);
    if (value.startsWith("0x") && writeDigits(KIND.hex, value, 2)) return;
    if (writeDigits(KIND.digits, value, 0)) return;
    const length = bytes.write(value, at + 5, "utf8");
    bytes[at] = KIND.text;
    bytes.writeUInt32LE(length, at + 1);
    at += 5 + length;
  };

  const placeOf = (text: string): number | undefined => {
    const place = places.get(text);
    if (place !== undefined) return place;
    if (known.length >= (HAS_DIGIT.test(text) ? mostKnown / 2 : mostKnown)) return undefined;
    places.set(text, known.length);
    return known.push(text) - 1;
  };

  const write = (value: unknown) => {
    makeRoom(MOST_DIGITS);
    if (typeof value === "bigint") return writeInteger(value);
    if (typeof value === "string") return writeText(value);
    if (typeof value === "number") {
      bytes[at] = KIND.number;
      at = bytes.writeDoubleLE(value, at + 1);
      return;
    }
    if (value !== null && typeof value !== "boolean") throw new TypeError(`a row has a ${typeof value}`);
    bytes[at] = value === null ? KIND.null : value ? KIND.true : KIND.false;
    at += 1;
  };

  const useColumns = (names: readonly string[]) => {
    columns = names;
    const texts = names.map((name) => JSON.stringify(name));
    readRow = new Function("read", `return {${texts.map((name) => `${name}: read()`)}};`) as typeof readRow;
    writeRow = new Function(
      ...["row", "write", texts.map((name) => `write(row[${name}]);`).join("")],
    ) as typeof writeRow;
  };

  const readDigits = (): string => {
    const count = from[next] as number;
    const end = next + 1 + Math.ceil(count / 2);
    const text = from.toString("hex", next + 1, end);
    next = end;
    return text.length === count ? text : text.slice(0, count);
  };

  const readInteger = (length: number): bigint => {
    const start = next;
    next += length;
    if (length === 0) return 0n;
    if (length <= 6) return BigInt(from.readUIntLE(start, length));
    wordBytes.fill(0);
    for (let index = 0; index < length; index += 1) wordBytes[index] = from[start + index] as number;
    const low = words.getBigUint64(0, true);
    return length <= 8 ? low : (words.getBigUint64(8, true) << 64n) | low;
  };

  const read = (): unknown => {
    const kind = from[next] as number;
    next += 1;
    switch (kind) {
      case KIND.null:
        return null;
      case KIND.false:
      case KIND.true:
        return kind === KIND.true;
      case KIND.number:
        next += 8;
        return from.readDoubleLE(next - 8);
      case KIND.hex:
        return `0x${readDigits()}`;
      case KIND.digits:
        return readDigits();
      case KIND.large:
        return BigInt(`0x${readDigits()}`);
      case KIND.negative:
        return -BigInt(`0x${readDigits()}`);
      case KIND.known:
        next += 1;
        return known[from[next - 1] as number];
      case KIND.text: {
        const start = next + 4;
        next = start + from.readUInt32LE(next);
        return from.toString("utf8", start, next);
      }
    }
    return readInteger(kind - KIND.integer);
  };

  if (earlier.length > 0) useColumns(earlier);
  return {
    columns: () => columns,
    /** The bytes are overwritten by the next row. */
    pack(row: Row): Buffer {
      at = 0;
      const names = Object.keys(row);
      if (columns.length === 0) useColumns(names);
      if (names.length !== columns.length) throw new TypeError(`a row has ${names}, not ${columns}`);
      writeRow(row, write);
      return bytes.subarray(0, at);
    },
    unpack(source: Buffer, start: number): Row {
      [from, next] = [source, start];
      return readRow(read) as Row;
    },
    /** The end of the row that was read last, in bytes. */
    end: () => next,
  };
}

function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < DIGITS.length ? (DIGITS[code] as number) : NO_DIGIT;
}
