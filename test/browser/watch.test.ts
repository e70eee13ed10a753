/** The checks of the pages find their faults, and have no findings on a good page. */
import { type Context, Hono } from "hono";
import { describe, expect, test } from "vitest";
import { serveApp } from "../harness/serve-app.ts";
import { axeFindings, CONTRAST, overflows } from "./judge.ts";
import { openBrowser } from "./open-browser.ts";
import { watch } from "./watch.ts";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src * data:; connect-src 'self'";

/** Each breaks one rule, by a script or by what stands on the page. */
const BAD: readonly { finds: RegExp; script?: string; body?: string }[] = [
  { finds: /^console warning: careful/, script: `console.warn("careful")` },
  { finds: /^console error: broken/, script: `console.error("broken")` },
  { finds: /^thrown: oh$/, script: `throw new Error("oh")` },
  { finds: /^dialog: look$/, script: `alert("look")` },
  { finds: /^404: .*missing$/m, script: `fetch("/missing")` },
  {
    finds: /^request failed: .*good/m,
    script: `fetch("/good", { signal: AbortSignal.timeout(0) }).catch(() => {})`,
  },
  {
    finds: /^request elsewhere: http:..elsewhere/m,
    body: `<img src="http://elsewhere.example/a.png" alt="">`,
  },
  {
    finds: /^console error: Connecting to .* violates/m,
    script: `fetch("http://127.0.0.1:9999/").catch(() => {})`,
  },
  { finds: /^console error: Applying inline style violates/, body: `<p style="color: red">Red</p>` },
  {
    finds: /^console error: Executing inline script violates/,
    body: `<script>document.title = "ours"</script>`,
  },
];

const app = new Hono();
const html = (body: string) =>
  `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head>
   <body><main><h1>A page</h1>${body}</main></body></html>`;
app.use(async (c, next) => {
  await next();
  c.header("Content-Security-Policy", POLICY);
});
app.get("/good", (c) => c.html(html("<p>Nothing to see.</p>")));
app.get("/gone", (c) => c.html(html("<p>Not here.</p>"), 404));
app.get("/wide", (c) => c.html(html(`<img src="data:," width="500" alt=""><pre>${"x".repeat(200)}</pre>`)));
app.get("/unnamed", (c) => c.html(html(`<button></button>`)));
const badOne = (c: Context) => BAD[Number(c.req.param("index"))];
app.get("/bad/:index", (c) => {
  return c.html(html(badOne(c)?.body ?? `<script src="/script/${c.req.param("index")}"></script>`));
});
app.get("/script/:index", (c) => c.body(badOne(c)?.script ?? "", 200, { "Content-Type": "text/javascript" }));
const [browser, served] = await openBrowser(serveApp(app));

async function open(path: string, ownStatus = 200) {
  const page = await browser.newPage();
  const seen = watch(page, { origin: served.url, ownStatus });
  await page.goto(served.url + path);
  return { page, ...seen };
}

describe("watch", () => {
  test.each(BAD.map(({ finds }, index) => ({ finds, index })))("finds $finds", async ({ finds, index }) => {
    const { page, troubles } = await open(`/bad/${index}`);
    await expect.poll(() => troubles().join("\n")).toMatch(finds);
    await page.close();
  });

  test("says nothing of a good page, nor of the error that a page is meant to be", async () => {
    for (const [path, status] of [
      ["/good", 200],
      ["/gone", 404],
    ] as const) {
      const { page, troubles } = await open(path, status);
      expect(troubles()).toEqual([]);
      await page.close();
    }
    const { page, troubles } = await open("/gone");
    expect(troubles().join()).toContain("404");
    await page.close();
  });
});

describe("the judges", () => {
  test("say nothing of a good page", async () => {
    const { page } = await open("/good");
    expect([...(await overflows(page)), ...(await axeFindings(page))]).toEqual([]);
    await page.close();
  });

  test("find a page that is too wide", async () => {
    const { page } = await open("/wide");
    await page.setViewportSize({ width: 320, height: 600 });
    expect((await overflows(page))[0]).toMatch(/^\d+ px wide in a window of 320$/);
    await page.close();
  });

  test("find a button without a name, unless told not to", async () => {
    const { page } = await open("/unnamed");
    expect((await axeFindings(page)).join()).toContain("button-name: button");
    expect(await axeFindings(page, CONTRAST)).toEqual([]);
    await page.close();
  });
});
