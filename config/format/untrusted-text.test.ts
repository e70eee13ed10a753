import { describe, expect, it } from "vitest";
import {
  isolated,
  isolatedQuote,
  oneLine,
  quote,
  stripButIsolations,
  stripControl,
} from "./untrusted-text.ts";

const BIDIRECTIONAL = [
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];
const C0 = Array.from({ length: 32 }, (_, code) => code);
const C1 = Array.from({ length: 33 }, (_, offset) => 0x7f + offset);
const span = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
/** Invisible operators, deprecated format characters, variation selectors, the byte order mark, annotations. */
const INVISIBLE = [
  ...span(0x2060, 0x2065),
  ...span(0x206a, 0x206f),
  ...span(0xfe00, 0xfe0f),
  0xfeff,
  ...span(0xfff9, 0xfffb),
];
const STRIPPED = new Set([...C0, ...C1, ...BIDIRECTIONAL, ...INVISIBLE]);

describe("stripControl", () => {
  it("removes exactly the control, bidirectional and invisible characters, over the whole of the first plane", () => {
    for (const code of [...span(0, 0xd7ff), ...span(0xe000, 0xffff)]) {
      const stripped = stripControl(`a${String.fromCharCode(code)}b`, { keepLineFeeds: false });
      if ((stripped === "ab") !== STRIPPED.has(code))
        expect.fail(`U+${code.toString(16)} became ${stripped}`);
    }
  });

  it("removes tag characters, which are invisible but read by a model", () => {
    expect(stripControl("Bakery\u{E0073}\u{E0065}\u{E006E}\u{E0064} 🏗", { keepLineFeeds: false })).toBe(
      "Bakery 🏗",
    );
  });

  it("removes variation selectors, of which a row spells a text, but for one that makes an emoji", () => {
    const spelt = "\u{E0153}\u{E0155}\u{E015E}\u{E0154}\uFE03\uFE08\u2062\uFFFA";
    const strip = (text: string) => stripControl(text, { keepLineFeeds: true });
    expect(strip(`Bakery${spelt} 葛${spelt}飾`)).toBe("Bakery 葛飾");
    expect(strip("☀\uFE0F\uFE0F\uFE0E 1\uFE0F\u20E3 ©\uFE0E a\uFE0F \uFE0F")).toBe(
      "☀\uFE0F 1\uFE0F\u20E3 ©\uFE0E a ",
    );
    for (const text of [`☀${spelt}\uFE0F`, `\uFE0F${spelt}\uFE0F☀`, "☀\uFE0F\u2060\uFE0F"])
      expect(strip(strip(text))).toBe(strip(text));
  });

  it("keeps line feeds where asked, and nothing else of the kind", () => {
    expect(stripControl("a\r\n\tb\u202ec", { keepLineFeeds: true })).toBe("a\nbc");
    expect(stripControl("a\r\n\tb\u202ec", { keepLineFeeds: false })).toBe("abc");
  });

  it("leaves every other text as it is", () => {
    const text = "Größe – 大きさ – 👩‍👩‍👧 – ❤\uFE0F‍🔥 – شركة";
    expect(stripControl(text, { keepLineFeeds: false })).toBe(text);
  });
});

it("a message is put on one line, cut, and made harmless", () => {
  expect(oneLine("a\u2028b\n\u001bc\u202ed", 100)).toBe("a bcd");
  expect(oneLine("x".repeat(1000), 10)).toBe("x".repeat(10));
});

describe("quote", () => {
  it("shows a value as short JSON with nothing active in it", () => {
    expect(quote("0x12")).toBe('"0x12"');
    expect(quote(undefined)).toBe("undefined");
    expect(quote("a\n\u001b\u0085\u202e\u2028")).toBe('"a\\n\\u001b\\u0085\\u202e\\u2028"');
    expect(quote("a\u{E0041}\uFE0F☀\uFE0F")).toBe('"a\\udb40\\udc41\\ufe0f☀\uFE0F"');
    expect(quote("x".repeat(1000))).toBe(`"${"x".repeat(59)}…`);
  });
});

describe("isolated", () => {
  it("is a text with letters from right to left alone, whatever it brings along", () => {
    expect(isolated("24 فرنًا، 3!")).toBe("\u206824 فرنًا، 3!\u2069");
    expect(isolated("שלום")).toBe("\u2068שלום\u2069");
    expect(isolated("\u2069a\u202Eב\u2067")).toBe("\u2068aב\u2069");
    for (const text of ["Käserei 24!", "大きさ", "Київ", "", "👩‍👩‍👧"]) expect(isolated(text)).toBe(text);
    expect(isolatedQuote("ב 1")).toBe('\u2068"ב 1"\u2069');
    expect(isolatedQuote("b 1")).toBe('"b 1"');
  });

  it("is what is left of control characters on a page", () => {
    const said = `\u2066of ${isolated("ב 1")}, \u202Eb\u2069\u2068`;
    expect(stripButIsolations(said)).toBe("of \u2068ב 1\u2069, b");
    expect(stripControl(said, { keepLineFeeds: false })).toBe("of ב 1, b");
  });
});
