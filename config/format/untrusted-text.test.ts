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
const STRIPPED = new Set([...C0, ...C1, ...BIDIRECTIONAL]);

describe("stripControl", () => {
  it("removes exactly the control and bidirectional characters, over the whole of the first plane", () => {
    for (let code = 0; code < 0xd800; code++) {
      const stripped = stripControl(`a${String.fromCharCode(code)}b`, { keepLineFeeds: false });
      if ((stripped === "ab") !== STRIPPED.has(code))
        expect.fail(`U+${code.toString(16)} became ${stripped}`);
    }
  });

  it("removes tag characters, which nobody sees and a model reads", () => {
    expect(stripControl("Bakery\u{E0073}\u{E0065}\u{E006E}\u{E0064} 🏗", { keepLineFeeds: false })).toBe(
      "Bakery 🏗",
    );
  });

  it("keeps line feeds where asked, and nothing else of the kind", () => {
    expect(stripControl("a\r\n\tb\u202ec", { keepLineFeeds: true })).toBe("a\nbc");
    expect(stripControl("a\r\n\tb\u202ec", { keepLineFeeds: false })).toBe("abc");
  });

  it("leaves every other text as it is", () => {
    const text = "Größe – 大きさ – 👩‍👩‍👧 – شركة";
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
