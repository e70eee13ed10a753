import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SITE } from "../../test/harness/snapshot.ts";
import { loadKnowledge } from "../knowledge/load.ts";
import { guessFor, searchFor } from "./guess.ts";

const knowledge = await loadKnowledge(new URL("../../knowledge", import.meta.url).pathname, SITE.publicUrl);
const guesses = (path: string) => guessFor(path, knowledge).map(({ href }) => href);

describe("a guess at a missing page", () => {
  it.each([
    ["/raise", ["/"]],
    ["/deals/7", ["/"]],
    ["/companies", ["/originators"]],
    ["/busineses", ["/originators"]],
    ["/help", ["/knowledge"]],
    ["/docs/api", ["/developers"]],
    ["/status.html", ["/system"]],
    ["/health", ["/system"]],
    ["/knowledge/risk", ["/knowledge/risks"]],
    ["/knowledge/grade", ["/knowledge/grades"]],
    ["/refunds", ["/knowledge/refunds-and-reserve"]],
    ["/how-raises-work", ["/knowledge/how-raises-work"]],
    ["/xyzzy", []],
    ["/", []],
    ["/%E0%A4%A", []],
  ])("for %s is %j", (path, expected) => {
    expect(guesses(path).slice(0, Math.max(1, expected.length))).toEqual(expected);
  });

  it("searches for the last part of the address", () => {
    expect(searchFor("/knowledge/late-payments.html").fields[0]?.value).toBe("late payments");
    expect(searchFor("/listings/lst_bakry/").fields[0]?.value).toBe("lst bakry");
    expect(searchFor("/%3Cscript%3Ealert(1)%3C/script%3E").fields[0]?.value).toBe("script");
  });

  it("takes any address, with at most three links and a short search", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webPath(), fc.string({ unit: "binary" })), (path) => {
        expect(guesses(path).length).toBeLessThanOrEqual(3);
        const value = searchFor(path).fields[0]?.value ?? "";
        expect(value.length).toBeLessThanOrEqual(250);
        expect(value.isWellFormed()).toBe(true);
      }),
    );
  });
});
