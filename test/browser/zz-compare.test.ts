import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { test } from "vitest";
import { launchChromium } from "./chromium.ts";
import { axeFindings } from "./judge.ts";
const R = "/tmp/ref-cmp";
const spec = readFileSync("openapi.json");
const pages: Record<string, [string, Record<string, string>]> = {
  rapidoc: [`<!doctype html><html lang=en><head><meta charset=utf-8><title>x</title><script type=module src=/r.js></script></head><body><rapi-doc spec-url=/openapi.json></rapi-doc></body></html>`, { "/r.js": `${R}/rapidoc-9.3.8/package/dist/rapidoc-min.js` }],
  redoc: [`<!doctype html><html lang=en><head><meta charset=utf-8><title>x</title></head><body><redoc spec-url=/openapi.json></redoc><script src=/r.js></script></body></html>`, { "/r.js": `${R}/redoc-3.0.1/package/bundles/redoc.standalone.js` }],
  scalar: [`<!doctype html><html lang=en><head><meta charset=utf-8><title>x</title></head><body><div id=app></div><script src=/r.js></script><script src=/i.js></script></body></html>`, { "/r.js": `${R}/scalar-api-reference-1.76.0/package/dist/browser/standalone.js` }],
};
test("compare", async () => {
  await using browser = await launchChromium();
  for (const [name, [html, files]] of Object.entries(pages)) for (const csp of ["default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'", "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:"]) {
    const server = createServer((q, s) => {
      const send = (type: string, body: string | Buffer) => { s.setHeader("content-type", type); s.setHeader("content-encoding", "gzip"); s.setHeader("content-security-policy", csp); s.end(gzipSync(body)); };
      if (q.url === "/") return send("text/html", html);
      if (q.url === "/openapi.json") return send("application/json", spec);
      if (q.url === "/i.js") return send("text/javascript", "Scalar.createApiReference('#app',{url:'/openapi.json'})");
      const file = files[q.url ?? ""];
      if (file) return send("text/javascript", readFileSync(file));
      s.statusCode = 404; s.end();
    });
    await new Promise<void>((r) => server.listen(0, r));
    const { port } = server.address() as { port: number };
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    let violations = 0, bytes = 0, requests = 0; const foreign = new Set<string>(); const errors: string[] = [];
    page.on("console", (m) => { if (/Content Security Policy/i.test(m.text())) violations++; else if (m.type()==="error") errors.push(m.text().slice(0,100)); });
    page.on("pageerror", (e) => errors.push(e.message.slice(0, 120)));
    page.on("request", (r) => { if (!r.url().startsWith(`http://127.0.0.1:${port}`) && !/^(data|blob)/.test(r.url())) foreign.add(r.url().slice(0, 80)); });
    page.on("response", async (r) => { requests++; try { bytes += (await r.request().sizes()).responseBodySize; } catch {} });
    await page.addInitScript("window.cls=0;new PerformanceObserver(l=>{for(const e of l.getEntries())window.cls+=e.value}).observe({type:'layout-shift',buffered:true})");
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForTimeout(9000);
    const text = await page.evaluate("document.body.innerText.length");
    const cls = await page.evaluate("window.cls");
    let axe: unknown = "-";
    try { axe = (await axeFindings(page)).length; } catch (e) { axe = String(e).slice(0, 80); }
    console.log("CMP", name, csp.length < 60 ? "loose" : "strict", { requests, bytes, violations, text, cls, axe, foreign: [...foreign], errors: errors.slice(0, 3) });
    await page.screenshot({ path: `/tmp/look/cmp-${name}-${csp.length < 60 ? "loose" : "strict"}.png` });
    await context.close(); server.close(); server.closeAllConnections();
  }
}, 200000);
