import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { basicCredentials, createRedactor } from "./redact.ts";

const rpc = createRedactor(["https://rpc.example/v2/Key0123456789?token=Tok%2Fen-77"]);
const basic = (pair: string) => Buffer.from(pair).toString("base64");

describe("createRedactor", () => {
  it.each([
    ["the URL", "URL: https://rpc.example/v2/Key0123456789?token=Tok%2Fen-77", "URL: https://rpc.example/…"],
    ["a cut URL", "https://rpc.example/v2/Key01", "https://rpc.example/…"],
    ["its port said", '"https://rpc.example:443/v2/K"', '"https://rpc.example:443/…"'],
    ["another scheme", "wss://rpc.example/v2/abc", "wss://rpc.example/…"],
    [
      "in JSON",
      String.raw`{"e":"at https://rpc.example/v2/abc\nBody"}`,
      String.raw`{"e":"at https://rpc.example/…\nBody"}`,
    ],
    [
      "in colour",
      "\u001b[2mhttps://rpc.example/v2/abc\u001b[22m",
      "\u001b[2mhttps://rpc.example/…\u001b[22m",
    ],
    ["a bare key", "key Key0123456789, KEY0123456789", "key …, …"],
    ["a bare value", "Tok%2Fen-77 Tok%2fen-77 Tok/en-77", "… … …"],
    ["a path", "GET /v2/Key0123456789 HTTP/1.1", "GET /v2/… HTTP/1.1"],
    ["nothing secret", "rpc.example v2 https://rpc.example http://127.0.0.1:42069/v1/listings", null],
  ])("hides %s", (_what, text, expected) => {
    expect(rpc(text)).toBe(expected ?? text);
  });

  it("hides a short password within its URL, and as HTTP Basic, and nowhere else", () => {
    const redact = createRedactor(["https://me:abc@docs.example/registry.json"]);
    expect(redact("https://me:abc@docs.example/registry.json")).toBe("https://…@docs.example/…");
    expect(redact("https://me:abc@docs.example")).toBe("https://…@docs.example");
    expect(redact(`authorization: Basic ${basic("me:abc")}`)).toBe("authorization: Basic …");
    expect(redact("abc of me and of the registry")).toBe("abc of me and of the registry");
  });

  it("hides the password of a database, and shows its user, its host and its name", () => {
    const redact = createRedactor(["postgres://teller:p%22a%5Cs%24s@db.example/raises?sslmode=require"]);
    expect(redact("postgres://teller:p%22a%5Cs%24s@db.example/raises?sslmode=require")).toBe(
      "postgres://…@db.example/…",
    );
    const password = String.raw`p"a\s$s`;
    for (const text of [password, JSON.stringify(password).slice(1, -1), JSON.stringify({ password })]) {
      expect(redact(text)).toMatch(/^(?:…|\{"password":"…"\})$/);
    }
    const told = 'password authentication failed for user "teller" of raises at db.example; SSL is require';
    expect(redact(told)).toBe(told);
  });

  it("leaves a local node without a path alone, and hosts that a path repeats", () => {
    const local = "http://127.0.0.1:8545 http://127.0.0.1:8545/x http://127.0.0.1:42069/v1";
    expect(createRedactor(["http://127.0.0.1:8545"])(local)).toBe(local);
    const redact = createRedactor(["https://bsc-testnet.rpc.example/bsc-testnet/Key0123456789"]);
    expect(redact("bsc-testnet.rpc.example refuses Key0123456789")).toBe("bsc-testnet.rpc.example refuses …");
    expect(createRedactor([])("text")).toBe("text");
  });

  it("shows the words of the log's own lines, and public names, where a URL has them too", () => {
    const told = [
      "A webhook target does not take a message target=accounting events=3",
      "The reader does not answer; no webhook is made meanwhile path=/v1/listings",
      "Delivering webhooks to the callback of the receiver",
    ].join("\n");
    for (const path of [
      ...[
        "webhook",
        "hooks/accounting",
        "webhooks/target/message",
        "callback/receiver",
        "webhook?meanwhile=reader",
      ],
      ...["api/events", "v1/listings", "account", "Services/x"],
    ])
      expect(createRedactor([`https://hooks.example/${path}`], ["accounting"])(told)).toBe(told);
    const redact = createRedactor(["https://hooks.example/webhook/accounting/T0K3N9"], ["accounting"]);
    expect(redact("webhook accounting T0K3N9 https://hooks.example/webhook/accounting")).toBe(
      "webhook accounting … https://hooks.example/…",
    );
    expect(createRedactor(["https://hooks.example/accounting"])("accounting")).toBe("…");
  });

  it("hides any key in any place of any URL, in any spelling", () => {
    const key = fc
      .string({ minLength: 6, maxLength: 20, unit: "grapheme-ascii" })
      .filter((text) => /\S{6}/.test(text));
    const place = fc.constantFrom<(key: string) => string>(
      (part) => `https://a.test/v2/${part}`,
      (part) => `https://a.test/v2/${part}/x#y`,
      (part) => `https://a.test?k=${part}&l=m`,
      (part) => `https://u:${part}@a.test:99`,
      (part) => `https://${part}@a.test`,
      (part) => `postgres://u:${part}@a.test/db`,
    );
    fc.assert(
      fc.property(key, place, (secret, put) => {
        // A marker that no redacted text has by chance.
        const marked = `${secret}zq7Q`;
        const url = put(encodeURIComponent(marked));
        const redact = createRedactor([url]);
        const error = { url, marked, cause: JSON.stringify({ marked, url }) };
        for (const text of [url, marked, encodeURIComponent(marked), JSON.stringify(error), `:${url}:`]) {
          expect(redact(text).toLowerCase()).not.toContain("zq7q");
        }
        const credentials = basicCredentials(new URL(url));
        if (credentials !== null && url.startsWith("https")) expect(redact(credentials)).toBe("…");
      }),
    );
  });
});
