import { expect, it } from "vitest";
import { parseRegistry } from "../../test/harness/parsed-registry.ts";
import { changesBetween } from "./changes.ts";

const entry = (id: string, title = "T") => ({
  ...{ publicId: `lst_${id}`, originator: "org_a", escrowAddress: `0x${"e5".repeat(20)}` },
  ...{ onchainId: `${id.charCodeAt(0)}`, title, description: "" },
});
const business = (id: string, addresses: string[] = []) => ({
  ...{ publicId: `org_${id}`, legalName: "A", jurisdiction: "SG", kybStatus: "approved", addresses },
});
const registry = (originators: object[], listings: object[]) =>
  parseRegistry(Buffer.from(JSON.stringify({ originators, listings })));

const BEFORE = registry([business("a"), business("b")], [entry("a"), entry("b"), entry("c")]);
const NONE = { added: 0, removed: 0, changed: 0 };

it("counts what came, what went and what is not as it was, by public id", () => {
  const after = registry(
    [business("a", [`0x${"b2".repeat(20)}`])],
    [entry("d"), entry("c", "Another"), entry("a"), entry("e")],
  );
  expect(changesBetween(BEFORE, after)).toEqual({
    originators: { added: 0, removed: 1, changed: 1 },
    listings: { added: 2, removed: 1, changed: 1 },
  });
});

it("counts nothing where only the order is another", () => {
  const after = registry([business("b"), business("a")], [entry("c"), entry("b"), entry("a")]);
  expect(changesBetween(BEFORE, after)).toEqual({ originators: NONE, listings: NONE });
});
