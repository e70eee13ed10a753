/** The order of the sections on a raise's page, and its calls to action. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { SITE } from "../../../test/harness/snapshot.ts";

const ask = asking(await appIn());

async function documentOf(id: string, from = ask) {
  return parseHTML((await from(`/listings/${id}`)).text).document;
}

describe("the page of a raise", () => {
  it("has first the state, then what one would get, whose raise it is and its risks, then the rest", async () => {
    const idsOf = async (id: string) =>
      [...(await documentOf(id)).querySelectorAll("main .section")].map((one) => one.id);
    expect(await idsOf("lst_1")).toEqual([
      ...["warnings", "state", "estimate", "grade", "description", "risks", "schedule", "chart", "history"],
      ...["proof", "desk", "details", "embed", "elsewhere", "follow"],
    ]);
    // A repaid raise has nothing left to lose.
    expect(await idsOf("lst_4")).not.toContain("risks");
  });

  it("begins with its cover, for the eye alone", async () => {
    const cover = (await documentOf("lst_1")).querySelector(".page-title > :first-child");
    expect([cover?.className, cover?.getAttribute("aria-hidden")]).toEqual(["page-cover", "true"]);
    expect(cover?.querySelector("svg")).not.toBeNull();
  });

  it.each([1, 2, 3, 4, 5, 6, 7])("invites to one thing at most: raise %i", async (number) => {
    const buttons = (await documentOf(`lst_${number}`)).querySelectorAll(
      "main .button:not(.button--secondary)",
    );
    expect(buttons.length).toBeLessThanOrEqual(1);
  });

  it("offers the operator's node, if there is one", async () => {
    const nodeOf = async (publicNode: string | null) => {
      const overrides = { publicSettings: { ...SITE, publicNode } };
      const document = await documentOf("lst_1", asking(await appIn({ overrides })));
      return document.querySelector("#prover")?.getAttribute("data-node");
    };
    expect([await nodeOf(null), await nodeOf("https://node.example/")]).toEqual([
      null,
      "https://node.example/",
    ]);
  });
});
