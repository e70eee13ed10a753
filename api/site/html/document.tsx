/** @jsxImportSource hono/jsx */
/** @module The document around a page: head, header, banner, footer. http.md, "Pages". */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { type Link, markdownPath } from "../../http/links.ts";
import { type ContentsGroup, type Crumb, type Page, PICTURE_SIZE, type Section } from "../page.ts";
import type { Sync } from "../system/sync.ts";
import { Banner, type Printed, PrintNote } from "./banner.tsx";
import { AuditBadgeView, SectionView } from "./blocks.tsx";
import { ShareButton, Star } from "./choose.tsx";
import { ContentsOf } from "./endpoint.tsx";
import { withIsolations } from "./isolations.ts";
import { structuredData } from "./structured-data.ts";
import { Facts } from "./value.tsx";

/** Our ids contain a capital letter, so that they never equal an anchor of the knowledge base. */
const IDS = {
  content: "pageContent",
  title: "pageTitle",
  navigation: "siteNavigation",
} as const;

/** Whether a title is written smaller: the longest would fill a phone. */
const isLong = (title: string) => [...stripControl(title, { keepLineFeeds: true })].length > 70;

export type Shell = {
  publicUrl: string;
  siteName: string;
  chainId: number;
  assets: {
    css: string;
    script: string;
    logo: string;
    favicon: { href: string; type: string };
    manifest: string;
  };
  /** colours of the browser's own interface */
  themeColours: { light: string; dark: string };
  tools: Child;
  navigation: readonly Crumb[];
};

export type DocumentParameters = {
  page: Page;
  shell: Shell;
  links: readonly Link[];
  sync: Sync;
  /** whether it is an error page, without its own address */
  isError: boolean;
  print?: Printed | undefined;
};

export function documentHtml({ page, shell, links, sync, isError, print }: DocumentParameters): string {
  const title =
    page.path === "/" && !isError ? `${shell.siteName}: ${page.title}` : `${page.title} – ${shell.siteName}`;
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={page.description} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={shell.themeColours.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={shell.themeColours.dark} />
        {(isError || page.isUnlisted) && <meta name="robots" content="noindex" />}
        {!isError && <PageIdentity page={page} shell={shell} title={title} />}
        {links.map(({ rel, href, type }) => (
          <link rel={rel} href={href} type={type} />
        ))}
        <link rel="icon" href={shell.assets.favicon.href} type={shell.assets.favicon.type} />
        <link rel="manifest" href={shell.assets.manifest} />
        <link rel="stylesheet" href={shell.assets.css} />
        <script type="module" src={shell.assets.script} />
        {structuredData(page, shell.publicUrl).map((data) => (
          <script type="application/ld+json">{raw(data)}</script>
        ))}
      </head>
      <body>
        {shell.tools}
        <a class="skip-link" href={`#${IDS.content}`}>
          Skip to the content
        </a>
        <Header shell={shell} path={page.path} />
        <Banner sync={sync} />
        <main
          id={IDS.content}
          class={page.layout === "line" ? "hero hero--line" : page.layout}
          tabindex={-1}
          data-live={liveOf(page, sync)}
          data-error={isError && page.isLive ? "" : undefined}
        >
          {print !== undefined && <PrintNote {...print} />}
          <Content page={page} />
        </main>
        <Footer shell={shell} page={page} isError={isError} />
      </body>
    </html>
  );
  return withIsolations(`<!doctype html>\n${html.toString()}`);
}

/** The stream that the refresh follows; empty when it polls, as it does until the index is at the head and there is a stream. */
function liveOf({ isLive, stream = "" }: Page, { state }: Sync): string | undefined {
  if (!isLive) return undefined;
  return state === "syncing" || state === "starting" ? "" : stream;
}

function PageIdentity({ page, shell, title }: { page: Page; shell: Shell; title: string }) {
  const canonical = shell.publicUrl + page.path;
  return (
    <>
      <link rel="canonical" href={canonical} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={shell.siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:url" content={canonical} />
      <meta property="og:locale" content="en" />
      {page.picture === undefined ? (
        <meta name="twitter:card" content="summary" />
      ) : (
        <>
          <meta property="og:image" content={shell.publicUrl + page.picture.path} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={`${PICTURE_SIZE.width}`} />
          <meta property="og:image:height" content={`${PICTURE_SIZE.height}`} />
          <meta property="og:image:alt" content={page.picture.alt} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}

function Header({ shell, path }: { shell: Shell; path: string }) {
  const current = (target: string) => {
    if (path === target) return "page";
    const isBelow = target === "/" ? path.startsWith("/listings/") : path.startsWith(`${target}/`);
    return isBelow ? "true" : undefined;
  };
  return (
    <header class="site-header">
      <p class="visually-hidden">
        For AI agents: this site has an index in Markdown at /llms.txt, and every page as Markdown with .md
        appended to its address.
      </p>
      <a class="site-name" href="/">
        <img src={shell.assets.logo} alt="" width="28" height="28" />
        <span>{shell.siteName}</span>
      </a>
      {/* Next to the name on wide screens; on a phone a menu, which needs no script. */}
      <button class="site-menu" type="button" popovertarget={IDS.navigation}>
        Menu
      </button>
      <nav aria-label="Main" id={IDS.navigation} popover="auto">
        <ul class="site-nav">
          {shell.navigation.map(({ title, path: target }) => (
            <li>
              <a href={target} aria-current={current(target)}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

function Content({ page }: { page: Page }) {
  const { layout, sections, hasContents, contents } = page;
  return (
    <>
      <PageTitle page={page} />
      {layout !== undefined ? (
        <>
          <div class="beside">
            <Sections sections={sections.filter(({ isBeside }) => isBeside)} />
          </div>
          <div class="body">
            <Sections sections={sections.filter(({ isBeside }) => !isBeside)} />
          </div>
        </>
      ) : hasContents || contents !== undefined ? (
        <WithContents page={page} />
      ) : (
        <Sections sections={sections} />
      )}
    </>
  );
}

function PageTitle({ page }: { page: Page }) {
  const { lead = page.description } = page;
  return (
    <header class="page-title" id={IDS.title}>
      {page.cover !== undefined && (
        <div class="page-cover" data-markdown-ignore="" aria-hidden="true">
          {page.cover}
        </div>
      )}
      <Crumbs crumbs={page.crumbs} canShare={page.canShare} />
      {page.proof !== undefined && <AuditBadgeView proof={page.proof} />}
      <h1 class={isLong(page.title) ? "long" : undefined}>{page.title}</h1>
      {page.watch !== undefined && <Star id={page.watch} title={page.title} />}
      {page.badges !== undefined && <Facts look="list" facts={page.badges} />}
      {lead !== null && <p class="lead">{lead}</p>}
    </header>
  );
}

/** In one row with the button to share. */
function Crumbs({ crumbs, canShare }: Pick<Page, "crumbs" | "canShare">) {
  if (crumbs.length === 0) return null;
  return (
    <div class="page-way">
      <nav aria-label="Breadcrumb">
        <ol class="crumbs">
          {crumbs.map(({ title, path }) => (
            <li>
              <a href={path}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {canShare && <ShareButton />}
    </div>
  );
}

function Sections({ sections }: { sections: readonly Section[] }) {
  return (
    <>
      {sections.map((section) => (
        <SectionView section={section} />
      ))}
    </>
  );
}

/** On wide screens the list is next to the sections and its fold is hidden. */
function WithContents({ page }: { page: Page }) {
  const label = page.contents === undefined ? "On this page" : "In this reference";
  const contents = page.contents ?? page.sections.flatMap(sectionInContents);
  return (
    <div class="page-with-contents">
      <nav class="contents" aria-label={label} tabindex={0} data-markdown-ignore="">
        <details>
          <summary>{label}</summary>
          <ContentsOf groups={contents} />
        </details>
      </nav>
      <div class="page-sections">
        <Sections sections={page.sections} />
      </div>
    </div>
  );
}

function sectionInContents({ id, title }: Section): ContentsGroup[] {
  return title === null ? [] : [{ title, path: `#${id}`, isCurrent: false, links: [] }];
}

function Footer({ shell, page, isError }: { shell: Shell; page: Page; isError: boolean }) {
  return (
    <footer class="site-footer">
      <p>
        Test network (chain {shell.chainId}): no value here is real. {shell.siteName} only shows data; it
        never moves money.
      </p>
      <ul>
        {!isError && (
          <li>
            <a href={markdownPath(page.path)} type="text/markdown">
              This page as Markdown
            </a>
          </li>
        )}
        <li>
          <a href="/auth.md" type="text/markdown">
            Authentication for agents
          </a>
        </li>
        <li>
          <a href="/llms.txt" type="text/markdown">
            For AI agents: llms.txt
          </a>
        </li>
      </ul>
    </footer>
  );
}
