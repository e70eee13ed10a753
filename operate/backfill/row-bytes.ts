/**
 * Rows as bytes, and large buffers to keep them in.
 * @module
 */

/** What a value begins with, and what follows it. */
const KIND = {
  null: 0,
  false: 1,
  true: 2,
  /** 8 bytes */
  number: 3,
  /** 4 to 12: a bigint of 0 to 8 bytes, the lowest first */
  integer: 4,
  /** a length of one byte, and a larger bigint, the highest byte first */
  large: 13,
  /** the same of a text in hexadecimal, as addresses and hashes are */
  hex: 14,
  /** the same of a text that is a decimal number, as ids of events are */
  digits: 15,
  /** a length of four bytes, and UTF-8 */
  text: 16,
  /** as `large`, without its sign */
  negative: 17,
} as const;

const HEX = /^0x(?:[0-9a-f]{2}){0,255}$/;
const DIGITS = /^[1-9]\d{0,599}$/;
const MOST_SMALL = 2n ** 64n;

/** Rows of one table: all have the columns of the first, with null, booleans, numbers, bigints and texts in them. */
export function createRowCodec<Row extends object>() {
  let columns: readonly string[] = [];
  let bytes = Buffer.alloc(1_024);
  let at = 0;

  const makeRoom = (length: number) => {
    if (at + length <= bytes.length) return;
    bytes = Buffer.concat([bytes], 2 * (at + length));
  };

  /** A length of one byte and the bytes of this hexadecimal text. */
  const writeHex = (kind: number, hex: string) => {
    const even = hex.length % 2 === 0 ? hex : `0${hex}`;
    bytes[at] = kind;
    bytes[at + 1] = even.length / 2;
    at += 2 + bytes.write(even, at + 2, "hex");
  };

  const writeInteger = (value: bigint) => {
    if (value < 0n) return writeHex(KIND.negative, (-value).toString(16));
    if (value >= MOST_SMALL) return writeHex(KIND.large, value.toString(16));
    const length = Math.ceil(value.toString(16).length / 2) * (value === 0n ? 0 : 1);
    bytes[at] = KIND.integer + length;
    bytes.writeBigUInt64LE(value, at + 1);
    at += 1 + length;
  };

  const writeText = (value: string) => {
    makeRoom(5 + 3 * value.length);
    if (HEX.test(value)) return writeHex(KIND.hex, value.slice(2));
    if (DIGITS.test(value)) return writeHex(KIND.digits, BigInt(value).toString(16));
    const length = bytes.write(value, at + 5, "utf8");
    bytes[at] = KIND.text;
    bytes.writeUInt32LE(length, at + 1);
    at += 5 + length;
  };

  const write = (value: unknown) => {
    makeRoom(64);
    if (typeof value === "string") return writeText(value);
    if (typeof value === "bigint") return writeInteger(value);
    if (typeof value === "number") {
      bytes[at] = KIND.number;
      at = bytes.writeDoubleLE(value, at + 1);
      return;
    }
    if (value !== null && typeof value !== "boolean") throw new TypeError(`a row has a ${typeof value}`);
    bytes[at] = value === null ? KIND.null : value ? KIND.true : KIND.false;
    at += 1;
  };

  return {
    /** The bytes are overwritten by the next row. */
    pack(row: Row): Buffer {
      const names = Object.keys(row);
      if (columns.length === 0) columns = names;
      if (names.length !== columns.length || !columns.every((name) => Object.hasOwn(row, name)))
        throw new TypeError(`a row has ${names}, not ${columns}`);
      at = 0;
      for (const name of columns) write((row as Readonly<Record<string, unknown>>)[name]);
      return bytes.subarray(0, at);
    },
    unpack(from: Buffer, start: number): Row {
      const reader = createReader(from, start);
      const row: Record<string, unknown> = {};
      for (const column of columns) row[column] = reader.next();
      return row as Row;
    },
  };
}

function createReader(bytes: Buffer, start: number) {
  let at = start;
  const hex = () => {
    const end = at + 1 + (bytes[at] ?? 0);
    const text = bytes.toString("hex", at + 1, end);
    at = end;
    return text;
  };
  return {
    next(): unknown {
      const kind = bytes[at] ?? 0;
      at += 1;
      switch (kind) {
        case KIND.null:
          return null;
        case KIND.false:
        case KIND.true:
          return kind === KIND.true;
        case KIND.number:
          at += 8;
          return bytes.readDoubleLE(at - 8);
        case KIND.large:
          return BigInt(`0x${hex()}`);
        case KIND.negative:
          return -BigInt(`0x${hex()}`);
        case KIND.hex:
          return `0x${hex()}`;
        case KIND.digits:
          return BigInt(`0x${hex()}`).toString();
        case KIND.text: {
          const from = at + 4;
          at = from + bytes.readUInt32LE(at);
          return bytes.toString("utf8", from, at);
        }
      }
      const length = kind - KIND.integer;
      at += length;
      if (length <= 6) return BigInt(length === 0 ? 0 : bytes.readUIntLE(at - length, length));
      let value = 0n;
      for (let place = at - 1; place >= at - length; place -= 1)
        value = value * 256n + BigInt(bytes[place] ?? 0);
      return value;
    },
  };
}

/** Bytes of a buffer. */
const SLAB = 4 * 1024 * 1024;
/** A piece takes a multiple of so many bytes. */
const STEP = 16;
/** Bytes before each piece, which say how many it takes. */
const HEAD = 4;

/** Pieces of bytes in few large buffers outside of the heap. A place that is given up is used again for a piece of the same size. */
export function createSlabs() {
  const slabs: Buffer[] = [];
  const free = new Map<number, number[]>();
  let filled = SLAB;
  const offsetOf = (place: number) => place % SLAB;
  const slabOf = (place: number) => slabs[Math.floor(place / SLAB)] as Buffer;

  const newPlace = (size: number): number => {
    if (filled + size > SLAB) {
      slabs.push(Buffer.allocUnsafeSlow(Math.max(SLAB, size)));
      filled = 0;
    }
    const place = (slabs.length - 1) * SLAB + filled;
    filled += size;
    return place;
  };

  return {
    /** Copies the bytes. @returns their place */
    put(bytes: Buffer): number {
      const size = Math.ceil((HEAD + bytes.length) / STEP) * STEP;
      const place = free.get(size)?.pop() ?? newPlace(size);
      const offset = offsetOf(place);
      slabOf(place).writeUInt32LE(size, offset);
      bytes.copy(slabOf(place), offset + HEAD);
      return place;
    },
    /** Where the bytes at a place are; they end by themselves. */
    at: (place: number): readonly [Buffer, number] => [slabOf(place), offsetOf(place) + HEAD],
    free(place: number) {
      const size = slabOf(place).readUInt32LE(offsetOf(place));
      const places = free.get(size);
      if (places === undefined) free.set(size, [place]);
      else places.push(place);
    },
  };
}
