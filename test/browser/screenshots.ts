/** @module Pictures of every page for people to look at: `npm run screenshots`. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { createRaisebookClient } from "../../client/index.ts";
import { launchChromium } from "./chromium.ts";
import { openLiveSite } from "./live-site.ts";
import { PAGES, THEMES, WIDTHS } from "./pages.ts";
import { openSite } from "./site.ts";

const USAGE = `Pictures of every page, at ${WIDTHS.join(", ")} pixels, ${THEMES.join(" and ")}.

Usage: npm run screenshots [-- options]

  --url <url>    of a running service; without one the demo's service is started, and pages of
                 made-up situations (no raises, half read in, hostile texts) are pictured too
  --out <dir>    where the pictures go (default .raisebook/screenshots)
  --only <text>  only pages whose name has this in it
  --help         show this text

Exit codes: 0 when every page has its pictures, 1 when one has not, 2 for an option that cannot be used.
`;

type Subject = { name: string; url: string };

type Options = { url: string | undefined; out: string; only: string; help: boolean };

class OptionError extends Error {}

/** @throws {OptionError} */
function readOptions(args: readonly string[]): Options {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: "string" },
        out: { type: "string", default: join(root, ".raisebook", "screenshots") },
        only: { type: "string", default: "" },
        help: { type: "boolean", default: false },
      },
    });
    const { url, out, only, help } = values;
    return { url: url === undefined ? undefined : new URL(url).href.replace(/\/$/, ""), out, only, help };
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

/** A listing of each status that there is, one with each trouble of repayment, and the other pages. */
async function subjectsOf(url: string): Promise<Subject[]> {
  const client = createRaisebookClient({ baseUrl: `${url}/v1`, userAgent: "raisebook-screenshots" });
  const { listings } = await client.get("/listings");
  const { originators } = await client.get("/originators");
  const firsts = new Map<string, string>();
  const note = (name: string, path: string) => {
    if (!firsts.has(name)) firsts.set(name, path);
  };
  for (const [name, path] of Object.entries({
    board: "/",
    "board-filtered": "/?status=funding&sort=closing_soon",
    originators: "/originators",
    compare: `/compare?ids=${listings.slice(0, 3).map(({ publicId }) => publicId)}`,
    watched: `/watched?ids=${listings.slice(0, 5).map(({ publicId }) => publicId)}`,
    knowledge: "/knowledge",
    "knowledge-grades": "/knowledge/grades",
    developers: "/developers",
    limits: "/developers/limits",
    data: "/data",
    reference: "/developers/reference",
    "reference-listings": "/developers/reference/listings",
    system: "/system",
    "not-found": "/nothing/here",
  })) {
    note(name, path);
  }
  for (const { status, repayment, pricingMode, publicId } of listings) {
    note(`listing-${status}`, `/listings/${publicId}`);
    if (pricingMode === "auction") note("listing-auction", `/listings/${publicId}`);
    if (["late", "default", "written_off"].includes(repayment))
      note(`listing-${repayment}`, `/listings/${publicId}`);
  }
  for (const { ratingGrade, publicId } of originators)
    note(`originator-${ratingGrade}`, `/originators/${publicId}`);
  return [...firsts].map(([name, path]) => ({ name, url: url + path }));
}

/** @returns how many pages could not be pictured */
async function picture(browser: Browser, subjects: readonly Subject[], out: string): Promise<number> {
  let failures = 0;
  for (const [index, { name, url }] of subjects.entries()) {
    const line = `${String(index + 1).padStart(3)}/${subjects.length}  ${name}`;
    try {
      for (const colorScheme of THEMES) {
        const page = await browser.newPage({ colorScheme, reducedMotion: "reduce" });
        await page.goto(url);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        }
        await page.close();
      }
      process.stdout.write(`${line}\n`);
    } catch (error) {
      failures += 1;
      process.stderr.write(`${line}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return failures;
}

async function main(args: readonly string[]): Promise<number> {
  const { url, out, only, help } = readOptions(args);
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  await mkdir(out, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  if (url === undefined) {
    process.stdout.write("Starting the demo's service …\n");
    subjects.push(...(await subjectsOf(stack.use(await openLiveSite()).url)));
    const madeUp = stack.use(await openSite());
    subjects.push(...PAGES.map((page) => ({ name: `made-up-${page.name}`, url: madeUp.urlOf(page) })));
  } else {
    subjects.push(...(await subjectsOf(url)));
  }
  const chosen = subjects.filter(({ name }) => name.includes(only));
  const browser = stack.use(await launchChromium());
  const failures = await picture(browser, chosen, out);
  process.stdout.write(`${(chosen.length - failures) * WIDTHS.length * THEMES.length} pictures in ${out}\n`);
  return failures === 0 && chosen.length > 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
