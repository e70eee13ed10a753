import { describe, expect, it } from "vitest";
import { appIn } from "../test/harness/app.ts";
import { asking } from "../test/harness/asking.ts";
import { validatorOf } from "../test/harness/validate.ts";

const NOWHERE = [
  "/nowhere",
  "/v2/listings",
  "/v1/listing",
  "/v1/listings/",
  "/v1/originators/",
  "/v1/health/",
  "/v1/openapi.json",
  "/openapi.json/",
  "/V1/listings",
  "/v1/LISTINGS",
  "//v1/listings",
  "/v1//listings",
  "/v1/listings/lst_1/",
  "/v1/listings/lst_1/nothing",
  "/v1/listings/lst_404",
  "/v1/listings/RB99999",
  "/v1/listings/org_northwind",
  "/v1/listings/__proto__",
  "/v1/listings/constructor",
  "/v1/listings/listings",
  "/v1/listings/%00",
  "/v1/listings/lst_1%00",
  "/v1/listings/%E2%80%AElst_1",
  "/v1/listings/%E0%A4%A",
  "/v1/listings/%",
  "/v1/listings/%FF%FE",
  "/v1/listings/lst%5F1%2F..",
  "/v1/listings/..%2F..%2Fetc%2Fpasswd",
  `/v1/listings/${"x".repeat(4000)}`,
  "/v1/originators/lst_1",
  "/v1/originators/org_nobody",
  "/v1/originators/__proto__",
  "/v1/originators/toString",
  "/__proto__",
  "/%00",
  "/%E2%80%AE",
  "/.env",
  "/package.json",
];

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);

describe("404", () => {
  it.each(NOWHERE)("GET %j", async (path) => {
    const answer = await ask(path, { headers: { Accept: "application/json" } });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).code).toBe("not_found");
    assertAnswer(path, answer);
  });

  it.each(["HEAD", "POST", "DELETE"])("%s to an unknown path is 404, not 405", async (method) => {
    expect((await ask("/v1/nothing", { method })).status).toBe(404);
    expect((await ask("/nowhere", { method })).status).toBe(404);
  });

  it("shows what was asked for in a form on which nothing acts", async () => {
    const answer = await ask("/v1/listings/%E2%80%AE%00evil%22%3Cscript%3E");
    expect(answer.text).not.toMatch(/[\u202E\p{Cc}]/u);
    const { detail, instance } = JSON.parse(answer.text);
    expect(`${detail}${instance}`).not.toMatch(/[\u202E\p{Cc}]/u);
    expect(instance).toBe("/v1/listings/%E2%80%AE%00evil%22%3Cscript%3E");
  });

  it("names no more of a long id than a line holds", async () => {
    const { detail } = JSON.parse((await ask(`/v1/listings/${"x".repeat(4000)}`)).text);
    expect(detail.length).toBeLessThan(200);
  });
});

describe("the length of a URL", () => {
  const withLength = (path: string, length: number) => `${path}${"x".repeat(length - path.length)}`;

  it.each(["/v1/listings/", "/v1/health?", "/", "/openapi.json?"])(
    "%s…: 4,096 characters pass",
    async (path) => {
      expect((await ask(withLength(path, 4096))).status).not.toBe(414);
    },
  );

  it.each(["/v1/listings/", "/v1/health?", "/", "/openapi.json?"])("%s…: 4,097 are 414", async (path) => {
    const answer = await ask(withLength(path, 4097));
    expect(answer.status).toBe(414);
    expect(JSON.parse(answer.text).code).toBe("uri_too_long");
    assertAnswer(withLength(path, 4097), answer);
  });
});
