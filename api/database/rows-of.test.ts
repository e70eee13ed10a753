import { describe, expect, it } from "vitest";
import { textsOf } from "./rows-of.ts";

describe("a row as PostgreSQL writes it", () => {
  it("has a text for each value, and null for nothing", () => {
    expect(textsOf("(0xab,12,,t)")).toEqual(["0xab", "12", null, "t"]);
    expect(textsOf("(,,)")).toEqual([null, null, null]);
  });

  it("has what is quoted as it was", () => {
    expect(textsOf('(1,"a,b",,"(x) y","say ""hi""","back\\\\slash","","line\nfeed",2)')).toEqual([
      ...["1", "a,b", null, "(x) y", 'say "hi"', "back\\slash", "", "line\nfeed", "2"],
    ]);
    expect(textsOf('("",)')).toEqual(["", null]);
  });
});
