import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes, numberToHex } from "viem";
import { describe, expect, it } from "vitest";
import { bytesOf, encodeRlp, type Item, quantity } from "./rlp.ts";

/** By the library. */
type Model = Uint8Array | Model[];
const modelOf = (item: Item): Model => (typeof item === "string" ? hexToBytes(item) : item.map(modelOf));
const byModel = (item: Item): Hex => bytesToHex(RLP.encode(modelOf(item)));

const hexOf = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => bytesToHex(bytes));
const { item: nested } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof({ maxDepth: 5 }, hexOf(1), hexOf(70), fc.array(tie("item"), { maxLength: 8 })),
}));

describe("encodeRlp", () => {
  it("encodes any bytes and lists as the library does", () => {
    fc.assert(
      fc.property(nested, (item) => {
        expect(encodeRlp(item)).toBe(byModel(item));
      }),
    );
  });

  it("encodes every single byte as the library does", () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const item = numberToHex(byte, { size: 1 });
      expect(encodeRlp([item])).toBe(byModel([item]));
      expect(encodeRlp(item)).toBe(byModel(item));
    }
  });

  it.each([0, 1, 2, 54, 55, 56, 57, 255, 256, 257, 65_535, 65_536])(
    "encodes %i bytes as the library does",
    (length) => {
      const bytes = `0x${"00".repeat(length)}` as const;
      const list = Array.from({ length }, () => "0x7f" as const);
      expect(encodeRlp(bytes)).toBe(byModel(bytes));
      expect(encodeRlp(list)).toBe(byModel(list));
      expect(encodeRlp([list, bytes])).toBe(byModel([list, bytes]));
    },
  );

  it.each([null, undefined, 1, true, {}, "", "12", "0X12", "0x1", "0x123", ["0x", null]])(
    "refuses %j",
    (item) => {
      expect(() => encodeRlp(item as Item)).toThrow(TypeError);
      expect(() => encodeRlp(["0x", item as Item])).toThrow(TypeError);
    },
  );
});

describe("bytesOf", () => {
  it("gives the bytes of digits of either case", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const hex = bytesToHex(bytes);
        expect(bytesOf(hex)).toEqual(Buffer.from(bytes));
        expect(bytesOf(`0x${hex.slice(2).toUpperCase()}`)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("refuses any other character, also one whose last byte is that of a digit", () => {
    const wide = fc
      .tuple(fc.integer({ min: 1, max: 255 }), fc.constantFrom(..."0123456789abcdefABCDEF"))
      .map(([high, digit]) => String.fromCharCode(256 * high + digit.charCodeAt(0)));
    const any = fc
      .nat(65_535)
      .map((code) => String.fromCharCode(code))
      .filter((character) => !/[0-9a-f]/i.test(character));
    const digits = fc.uint8Array({ minLength: 1 }).map((bytes) => bytesToHex(bytes).slice(2));
    fc.assert(
      fc.property(digits, fc.nat(), fc.oneof(wide, any), (hex, seed, character) => {
        const at = seed % hex.length;
        const other = `0x${hex.slice(0, at)}${character}${hex.slice(at + 1)}` as const;
        expect(() => bytesOf(other)).toThrow(TypeError);
        expect(() => bytesOf(encodeRlp([other]))).toThrow(TypeError);
      }),
    );
  });

  it.each([null, undefined, 1, ["0x12"], "", "12", "0X12", "0x1"])("refuses %j", (value) => {
    expect(() => bytesOf(value as Hex)).toThrow(TypeError);
  });
});

describe("quantity", () => {
  it("is the number's bytes without leading zeros", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.nat(3), (number, zeros) => {
        const written = `0x${"0".repeat(zeros)}${number.toString(16)}` as const;
        expect(encodeRlp(quantity(written))).toBe(bytesToHex(RLP.encode(number)));
      }),
    );
  });

  it.each([null, undefined, 1, ["0x12"], "", "12"])("refuses %j", (value) => {
    expect(() => quantity(value as Hex)).toThrow(TypeError);
  });
});
