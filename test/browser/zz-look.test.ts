import { test } from "vitest";
import { launchChromium } from "./chromium.ts";
import { openSite } from "./site.ts";
test("look", async () => {
  await using site = await openSite();
  await using browser = await launchChromium();
  const wanted = (process.env.LOOK ?? "/developers/reference").split(" ");
  for (const path of wanted) for (const [name, width, scheme] of [["l",1280,"light"],["d",1280,"dark"],["p",390,"light"]] as const) {
    if (process.env.ONLY && !process.env.ONLY.includes(name)) continue;
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
    page.on("console", (m) => console.log(m.type(), m.text()));
    const sizes: number[] = [];
    page.on("response", async (r) => { try { const s = await r.request().sizes(); sizes.push(s.responseBodySize); console.log(r.url().replace(site.url, ""), r.status(), s.responseBodySize); } catch {} });
    await page.goto(site.url + path);
    await page.waitForTimeout(400);
    const file = `/tmp/look/${path.replace(/[^a-z]/gi, "_").slice(0,60)}-${name}`;
    await page.screenshot({ path: `${file}.png` });
    await page.evaluate((y) => scrollTo(0, y), Number(process.env.Y ?? 1400));
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${file}-2.png` });
    await context.close();
  }
  for (const path of (await (await fetch(`${site.url}/sitemap.txt`)).text()).split("\n").filter((l) => l.includes("/developers"))) {
    const md = await (await fetch(path, { headers: { Accept: "text/markdown" } })).text();
    const html = await (await fetch(path, { headers: { Accept: "text/html", "Accept-Encoding": "identity" } })).text();
    const br = await fetch(path, { headers: { Accept: "text/html", "Accept-Encoding": "br" } });
    await br.text();
    console.log(path, "md", md.length, "html", html.length, "br", br.headers.get("content-length"));
  }
}, 200000);
