import fc from "fast-check";
import { keccak256, stringToHex } from "viem";
import { sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { parseRegistry } from "../../test/harness/parsed-registry.ts";
import {
  DEPLOYMENT,
  digestOf,
  documentHash,
  domainOf,
  NO_DEPLOYMENT,
  OPERATOR,
  OPERATOR_KEY,
  STRANGER,
  STRANGER_KEY,
  signed,
} from "../../test/harness/signed-registry.ts";
import { RegistryError } from "./error.ts";
import { requireLater, requireSigner, signerOf } from "./signature.ts";

const SERVICE = { publicUrl: DEPLOYMENT, chainId: 97 };
const SIGNER = { address: OPERATOR, ...SERVICE };
const A = `0x${"A1".repeat(20)}`;
const originator = {
  publicId: "org_a",
  legalName: "Ä & Söhne \u{1F33E}",
  jurisdiction: "SG",
  kybStatus: "approved",
  addresses: [A],
};
const listing = {
  publicId: "lst_a",
  originator: "org_a",
  escrowAddress: A,
  onchainId: "7",
  title: 'Line\nand "quote"',
  description: "",
};
const DOCUMENT = { originators: [originator], listings: [listing], revision: 3 };

const parse = (document: unknown, indent?: number | string) =>
  parseRegistry(Buffer.from(JSON.stringify(document, null, indent)));

describe("the hash of a document", () => {
  it("is that of its canonical JSON, written out here", () => {
    const text = `{"listings":[{"description":"","escrowAddress":"${A}","onchainId":"7","originator":"org_a","publicId":"lst_a","title":"Line\\nand \\"quote\\""}],"originators":[{"addresses":["${A}"],"jurisdiction":"SG","kybStatus":"approved","legalName":"Ä & Söhne \u{1F33E}","publicId":"org_a"}],"revision":3}`;
    const signature = `0x${"00".repeat(65)}`;
    expect(parse({ ...DOCUMENT, signature }, 2).hash).toBe(keccak256(stringToHex(text)));
    expect(documentHash(DOCUMENT)).toBe(keccak256(stringToHex(text)));
  });

  it("is the same whatever the order of the keys and the layout", () => {
    const shuffled = (value: unknown, seed: number): unknown => {
      if (Array.isArray(value)) return value.map((one) => shuffled(one, seed));
      if (typeof value !== "object" || value === null) return value;
      const members = Object.entries(value).map(([key, one]) => [key, shuffled(one, seed)] as const);
      return Object.fromEntries(
        members.toSorted(([a], [b]) => Math.sin(seed + a.length) - Math.sin(seed * b.length)),
      );
    };
    const { hash } = parse(DOCUMENT);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(undefined, 1, 4, "\t"), (seed, indent) => {
        expect(parse(shuffled(DOCUMENT, seed), indent).hash).toBe(hash);
      }),
    );
  });
});

describe("the signer", () => {
  it("is the signer of the EIP-712 digest", async () => {
    expect(await signerOf(parse(await signed(DOCUMENT, 8)), SERVICE)).toBe(OPERATOR);
    expect(await signerOf(parse(await signed(DOCUMENT, 8, STRANGER_KEY)), SERVICE)).toBe(STRANGER);
    const last = Number.MAX_SAFE_INTEGER;
    expect(await signerOf(parse(await signed(DOCUMENT, last)), SERVICE)).toBe(OPERATOR);
  });

  it("is a different one or none after any change of the document", async () => {
    const document = await signed(DOCUMENT);
    const paths = ["originators", "listings"].flatMap((list) =>
      Object.keys(list === "listings" ? listing : originator).map((field) => [list, field] as const),
    );
    const changes = fc.record({
      path: fc.constantFrom(...paths),
      at: fc.nat(),
      character: fc.constantFrom("0", "a", "F", "é", " ", "\u{1F33E}"),
      part: fc.constantFrom("replace", "insert", "drop"),
    });
    let valid = 0;
    const property = fc.asyncProperty(changes, async ({ path: [list, field], at, character, part }) => {
      const changed = structuredClone(document) as unknown as Record<string, Record<string, unknown>[]>;
      const entry = changed[list]?.[0] ?? {};
      const before = [entry[field]].flat().join("");
      const place = at % (before.length + 1);
      const after = `${before.slice(0, place)}${part === "drop" ? "" : character}${before.slice(place + (part === "insert" ? 0 : 1))}`;
      entry[field] = field === "addresses" ? [after] : after;
      let registry: ReturnType<typeof parse>;
      try {
        registry = parse(changed);
      } catch (error) {
        // A document that is no registry is refused before its signature is checked.
        if (error instanceof RegistryError) return;
        throw error;
      }
      valid += 1;
      if (after === before) expect(await signerOf(registry, SERVICE)).toBe(OPERATOR);
      else expect(await signerOf(registry, SERVICE)).not.toBe(OPERATOR);
    });
    await fc.assert(property, { numRuns: 300 });
    expect(valid).toBeGreaterThan(50);
  });

  it("is not the operator for another revision, another chain, or a list that lost an entry", async () => {
    const document = await signed(DOCUMENT, 3);
    const elsewhere = await sign({
      hash: digestOf(documentHash(DOCUMENT), 3, domainOf(DEPLOYMENT, 56)),
      privateKey: OPERATOR_KEY,
      to: "hex",
    });
    for (const other of [
      { ...document, revision: 4 },
      { ...document, listings: [] },
      { ...document, $schema: "./registry.schema.json" },
      { ...document, signature: elsewhere },
    ]) {
      expect(await signerOf(parse(other), SERVICE)).not.toBe(OPERATOR);
    }
  });

  it.each([`0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, `0x${"11".repeat(64)}05`])(
    "is nobody for %s",
    async (signature) => expect(await signerOf(parse({ ...DOCUMENT, signature }), SERVICE)).toBeNull(),
  );

  it("must be the one that is named", async () => {
    await expect(requireSigner(parse(await signed(DOCUMENT)), SIGNER)).resolves.toBeUndefined();
    await expect(requireSigner(parse(DOCUMENT), SIGNER)).rejects.toThrow(
      `signature: is missing (REGISTRY_SIGNER is ${OPERATOR})`,
    );
    const byStranger = parse(await signed(DOCUMENT, 3, STRANGER_KEY));
    await expect(requireSigner(byStranger, SIGNER)).rejects.toThrow(
      `signature: is not by REGISTRY_SIGNER, ${OPERATOR}`,
    );
  });
});

describe("a document for another service of the same operator", () => {
  const STAGING = "https://staging.raises.example";
  const forStaging = signed(DOCUMENT, 3, OPERATOR_KEY, domainOf(STAGING));

  it("is refused, by the name of this one", async () => {
    await expect(requireSigner(parse(await forStaging), SIGNER)).rejects.toThrow(
      `signature: is not by REGISTRY_SIGNER, ${OPERATOR}, or is for another document, another PUBLIC_URL than ${DEPLOYMENT} or another CHAIN_ID than 97: sign it again after each change`,
    );
    const there = { ...SIGNER, publicUrl: STAGING };
    await expect(requireSigner(parse(await forStaging), there)).resolves.toBeUndefined();
  });

  it("is refused on another chain, and used on the one that it was signed for", async () => {
    const onAnother = parse(await signed(DOCUMENT, 3, OPERATOR_KEY, domainOf(DEPLOYMENT, 11_155_111)));
    await expect(requireSigner(onAnother, SIGNER)).rejects.toThrow("another CHAIN_ID than 97");
    const there = { ...SIGNER, chainId: 11_155_111 };
    await expect(requireSigner(onAnother, there)).resolves.toBeUndefined();
    await expect(requireSigner(parse(await signed(DOCUMENT)), there)).rejects.toThrow(
      "another CHAIN_ID than 11155111",
    );
  });

  it("is refused when it was signed by an earlier version, which named none, and says what to do", async () => {
    const before = await signed(DOCUMENT, 3, OPERATOR_KEY, NO_DEPLOYMENT);
    await expect(requireSigner(parse(before), SIGNER)).rejects.toThrow(
      `signature: is by REGISTRY_SIGNER, but names no service, as all did in earlier versions: sign it again for ${DEPLOYMENT}`,
    );
    const byStranger = await signed(DOCUMENT, 3, STRANGER_KEY, NO_DEPLOYMENT);
    await expect(requireSigner(parse(byStranger), SIGNER)).rejects.toThrow("is not by REGISTRY_SIGNER");
  });
});

it.each([
  [{ signature: "0x12" }, 'signature: not a signature: "0x12" (expected 0x and 130 hex digits)'],
  [{ revision: 0 }, "revision: not a revision: 0 (expected a whole number from 1 to 2^53 - 1)"],
  [{ revision: 1.5 }, "revision: not a revision: 1.5"],
  [{ revision: "1" }, 'revision: not a revision: "1"'],
  [{ revision: 2 ** 53 }, "revision: not a revision"],
  [
    { revision: undefined, signature: `0x${"00".repeat(65)}` },
    "revision: is missing (a signed document needs one)",
  ],
  [{ $schema: 1 }, "$schema: not a text: 1"],
])("%j is refused", (change, message) => {
  expect(() => parse({ ...DOCUMENT, ...change })).toThrow(message);
});

it("a later revision replaces an earlier one, and nothing else does but the same content", () => {
  const at = (revision: number, title = "T") =>
    parse({ ...DOCUMENT, listings: [{ ...listing, title }], revision });
  expect(() => requireLater(at(4), at(3))).not.toThrow();
  expect(() => requireLater(at(3), at(3))).not.toThrow();
  expect(() => requireLater(at(2), at(3))).toThrow(
    "revision: is 2, and that of the document in use 3: it must be higher",
  );
  expect(() => requireLater(at(3, "Another"), at(3))).toThrow("it must be higher");
});
