import { describe, expect, it } from "vitest";
import { serviceWith, tablesWith } from "../../../test/harness/compared-books.ts";
import { RAISEBOOK, runProgram } from "../../../test/harness/run-program.ts";
import { serve } from "../../../test/harness/serve.ts";
import { serveApp } from "../../../test/harness/serve-app.ts";

describe("raisebook compare", () => {
  const tables = tablesWith(60);
  const run = (...args: string[]) =>
    runProgram(RAISEBOOK, ["compare", ...args], { cwd: ".", env: { HOME: "/" } });

  it("ends with 0 for the same book, 1 for another, and 2 where it cannot compare", async () => {
    const [first, ...rest] = tables.listings;
    if (first === undefined) throw new Error("there are listings");
    const b = { ...tables, listings: [{ ...first, raisedAmount: 7n }, ...rest] };
    await using same = await serveApp(await serviceWith(tables));
    await using copy = await serveApp(await serviceWith(tables));
    await using different = await serveApp(await serviceWith(b));
    expect(await run(same.url, `${copy.url}/v1`)).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^The same as of block \d+: 60 listings and 240 events, root 0x[0-9a-f]{64}\.\n$/,
      ),
      errors: "",
    });
    const text = await run(same.url, different.url);
    expect(text).toMatchObject({ code: 1, errors: "" });
    expect(text.output).toMatch(
      /\nlisting RB\d{5} \(0x[0-9a-f]{40}:\d+\)\n {2}raisedAmount: "(\d+)" \| "(?!\1)\d+"\n$/,
    );
    const { code, output } = await run(same.url, different.url, "--json");
    expect([code, JSON.parse(output)]).toMatchObject([
      1,
      { equal: false, differences: [{ tree: "listings", members: [{ name: "raisedAmount" }] }] },
    ]);
    const later = await run(same.url, copy.url, "--at", "99999999");
    expect(later).toMatchObject({
      code: 2,
      output: "",
      errors: expect.stringMatching(/^A \(http.* is not final/),
    });
    const silent = await run(same.url, "http://127.0.0.1:9");
    expect(silent).toMatchObject({
      code: 2,
      output: "",
      errors: expect.stringMatching(/^B \(http.*does not answer/),
    });
    // Something that answers anything with JSON, on both sides.
    await using served = await serve((_, response) =>
      response.setHeader("content-type", "application/json").end("{}"),
    );
    const other = served.url;
    const foreign = await run(other, other);
    expect(foreign).toEqual({
      ...{ code: 2, output: "" },
      errors: `A (${other}): it does not answer as a Raisebook does.\n`,
    });
  });
});
