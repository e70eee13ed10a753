import { describe, expect, it } from "vitest";
import { loadTargets, parseTargets, WebhooksError } from "./targets.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const LEAST = { name: "books", url: "https://hooks.example/in?token=hunter2", secret: SECRET };

const parse = (targets: unknown) => parseTargets(JSON.stringify({ targets }, null, 2), "webhooks.json");
function problemsOf(text: string): readonly string[] {
  try {
    parseTargets(text, "webhooks.json");
  } catch (error) {
    if (error instanceof WebhooksError) return error.problems;
    throw error;
  }
  return [];
}
const problemOf = (change: object) => {
  const problems = problemsOf(JSON.stringify({ targets: [{ ...LEAST, ...change }] }));
  expect(problems).toHaveLength(1);
  return problems[0];
};

describe("the file with targets", () => {
  it("needs a name, a URL and a secret, and the rest has defaults", () => {
    expect(parse([LEAST])).toEqual([
      {
        ...{
          name: "books",
          url: LEAST.url,
          secrets: [SECRET],
          listings: null,
          originators: null,
          kinds: null,
        },
        ...{ finality: "final", start: "now", privateNetworks: [], giveUpAfter: 72 * 3_600_000 },
      },
    ]);
  });

  it("takes every field", () => {
    const other = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
    const [target] = parse([
      {
        ...{
          name: "b-1",
          url: "http://10.0.3.4:8080/",
          secret: [SECRET, other],
          privateNetworks: ["10.0.3.0/24"],
        },
        ...{ listings: ["lst_a", "RB00001"], originators: ["org_a"], kinds: ["repaid", "offer_filled"] },
        ...{ finality: "pending", start: "beginning", giveUpAfterHours: 0.5 },
      },
    ]);
    expect(target).toMatchObject({
      ...{ secrets: [SECRET, other], kinds: ["repaid", "offer_filled"], privateNetworks: ["10.0.3.0/24"] },
      ...{ finality: "pending", start: "beginning", giveUpAfter: 1_800_000 },
    });
    expect([target?.listings, target?.originators]).toEqual([
      new Set(["lst_a", "RB00001"]),
      new Set(["org_a"]),
    ]);
  });

  it.each([
    [{ name: "Books" }, "targets[0].name: must be 1 to 40 of a-z 0-9 - _"],
    [{ name: "../x" }, "targets[0].name: must be 1 to 40"],
    [{ url: undefined }, "targets[0].url: is missing (it must be an https URL)"],
    [{ url: "hooks.example" }, "must be an https URL"],
    [{ url: "ftp://hooks.example" }, "must be an https URL"],
    [{ url: "http://hooks.example" }, "must be https (http only with privateNetworks"],
    [{ url: "https://u:hunter2@hooks.example" }, "must have no user name or password"],
    [{ url: "https://hooks.example/#hunter2" }, "must have no fragment"],
    [
      { url: "https://127.0.0.1/" },
      "has an address that it may not be sent to: name its network in privateNetworks",
    ],
    [{ url: "https://0xa9fea9fe/hunter2" }, "has an address that it may not be sent to"],
    [{ url: "https://[::1]/" }, "has an address that it may not be sent to"],
    [{ secret: "hunter2" }, "targets[0].secret: must be whsec_ and 24 to 64 bytes in base64"],
    [{ secret: `whsec_${Buffer.alloc(23).toString("base64")}` }, "24 to 64 bytes"],
    [{ secret: `whsec_${Buffer.alloc(65).toString("base64")}` }, "24 to 64 bytes"],
    [{ secret: [] }, "targets[0].secret: must be whsec_"],
    [{ kinds: ["repayed"] }, "targets[0].kinds[0]: must be one of listing_created, "],
    [{ kinds: [] }, "targets[0].kinds: must name at least one, or be left out for all"],
    [{ listings: "lst_a" }, "targets[0].listings: must be a list of public ids and refnums"],
    [{ originators: ["lst_a"] }, "targets[0].originators[0]: must be a public id such as org_"],
    [{ finality: "maybe" }, "targets[0].finality: must be final or pending"],
    [{ start: 7 }, "targets[0].start: must be now or beginning"],
    [{ privateNetworks: ["10.0.0.0/33"] }, 'has "10.0.0.0/33", which is no IP address and no CIDR block'],
    [{ privateNetworks: [7] }, "privateNetworks[0]: must be an IP address or a CIDR block"],
    [{ giveUpAfterHours: 0 }, "more than 0 and at most 720"],
    [{ giveUpAfterHours: 721 }, "more than 0 and at most 720"],
    [{ retries: 3 }, "targets[0]: has a field that there is not (there are name, url, secret, "],
  ])("is refused if it has %j: %s", (change, expected) => {
    const problem = problemOf(change);
    expect(problem).toContain(expected);
    expect(problem).toMatch(/^webhooks\.json:1:\d+: /);
    // Neither a secret nor a URL with one in it.
    expect(problem).not.toContain("hunter2");
    expect(problem).not.toContain(SECRET.slice(6, 20));
  });

  it("is reported with the place of each problem", () => {
    const text = `{\n  "targets": [\n    { "name": "a", "url": "x", "secret": "${SECRET}" },\n    { "name": "a",\n      "url": "https://b.example", "secret": 7 }\n  ]\n}\n`;
    expect(problemsOf(text)).toEqual([
      "webhooks.json:3:27: targets[0].url: must be an https URL",
      expect.stringMatching(/^webhooks\.json:5:45: targets\[1\]\.secret: must be whsec_/),
    ]);
    const twice = text.replace('"x"', '"https://a.example"').replace('"secret": 7', `"secret": "${SECRET}"`);
    expect(problemsOf(twice)).toEqual([
      "webhooks.json:4:15: targets[1].name: is that of targets[0]: each has a place under its own",
    ]);
  });

  it.each([
    ["", "webhooks.json:1:1: it is not JSON from here on"],
    [`{"targets": [{"secret": "${SECRET}" "x"}]}`, "it is not JSON from here on"],
    ["[]", 'the document: must be an object such as {"targets": […]}'],
    ['{"targets": []}', "targets: must have at least one target"],
    ['{"targets": [{}], "more": 1}', "the document: has a field other than targets"],
  ])("is refused if it is %j: %s", (text, expected) => {
    const problems = problemsOf(text).join("\n");
    expect(problems).toContain(expected);
    expect(problems).not.toContain(SECRET.slice(6, 20));
  });

  it("is named if it does not exist", async () => {
    await expect(loadTargets("/nowhere/webhooks.json")).rejects.toThrow(
      "/nowhere/webhooks.json: cannot be read (ENOENT)",
    );
  });
});
