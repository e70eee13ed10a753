/** The client's package: everything that its README names is in it. */
import { gunzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { markdownLinks } from "../../../test/harness/web-links.ts";
import { CLIENT_PATH } from "./client-package.ts";

it("has a README without dead links and without the addresses of the demo", async () => {
  const answer = await (await appIn()).request(`http://raises.example${CLIENT_PATH}`);
  const entries = await unpackTar(gunzipSync(new Uint8Array(await answer.arrayBuffer())));
  const names = entries.map(({ header }) => header.name);
  const readme = entries.find(({ header }) => header.name === "package/README.md");
  const text = new TextDecoder().decode(readme?.data);
  const links = markdownLinks(text);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links.filter((href) => !/^https:/.test(href)))
    expect(names).toContain(`package/${link}`);
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|:\d{4,5}\b/);
  expect(text).toContain("`https://raises.example` stands for");
});
