/** @jsxImportSource hono/jsx */
/**
 * The blocks of a page in HTML.
 * @module
 */
import { raw } from "hono/html";
import { NOTICE_WORDS } from "../blocks.ts";
import type { Block, Fact, PageLink, ProgressBar, Section, Snippet } from "../page.ts";
import { FilterFormView } from "./form.tsx";
import { OperationListView, TabsView } from "./operation.tsx";
import { proseHtml } from "./prose.ts";
import { DataTable } from "./table.tsx";
import { factAttributes, ValueText } from "./value.tsx";

/** A section with its heading. The refresh replaces it by its id. */
export function SectionView({ section }: { section: Section }) {
  const { id, title, blocks, fold } = section;
  const all = blocks.map((block) => <BlockView block={block} section={id} />);
  const headingId = `${id}-title`;
  return (
    <section class="section" id={id} aria-labelledby={title === null ? undefined : headingId}>
      {title !== null && <h2 id={headingId}>{title}</h2>}
      {fold === undefined ? (
        all
      ) : (
        <details class="phone-fold">
          <summary data-markdown-ignore="">{fold}</summary>
          {all}
        </details>
      )}
    </section>
  );
}

function BlockView({ block, section }: { block: Block; section: string }) {
  switch (block.kind) {
    case "paragraph":
      return <p>{block.text}</p>;
    case "quote":
      return <Quote text={block.text} />;
    case "prose":
      return <div class="prose">{raw(proseHtml(block.markdown))}</div>;
    case "facts":
      return <Facts look={block.look} facts={block.facts} />;
    case "table":
      return <DataTable table={block.table} />;
    case "progress":
      return <ProgressBarView progress={block.progress} />;
    case "chart":
      return (
        <figure class="chart" aria-label={block.chart.title}>
          <div data-markdown-ignore="">{block.chart.svg}</div>
          <details class="chart-data">
            <summary data-markdown-ignore="">Data of this chart</summary>
            <DataTable table={block.chart.table} />
          </details>
        </figure>
      );
    case "picture": {
      const { src, alt, height } = block.picture;
      return (
        <p>
          <img src={src} alt={alt} height={height} />
        </p>
      );
    }
    case "links":
      return <Links links={block.links} />;
    case "action":
      return (
        <div class="action">
          <a class="button" href={block.link.href}>
            {block.link.text}
          </a>
          {block.link.note !== undefined && <p>{block.link.note}</p>}
        </div>
      );
    case "notice":
      return (
        <p class={`notice notice--${block.tone}`}>
          <strong>{NOTICE_WORDS[block.tone]}</strong> {block.text}
        </p>
      );
    case "snippet":
      return <SnippetView snippet={block.snippet} />;
    case "tabs":
      return <TabsView tabs={block.tabs} />;
    case "operations":
      return <OperationListView list={block.operations} />;
    case "form":
      return <FilterFormView form={block.form} section={section} />;
  }
}

function Quote({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  return (
    <blockquote class="quote">
      {paragraphs.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </blockquote>
  );
}

export function Facts({ look, facts }: { look: "headline" | "grid" | "list"; facts: readonly Fact[] }) {
  return (
    <dl class={`facts facts--${look}`}>
      {facts.map(({ key, label, value, note }) => (
        <div class="fact">
          <dt>{label}</dt>
          <dd>
            <span {...factAttributes(key, value)}>
              <ValueText value={value} />
            </span>
            {note !== undefined && <div class="fact-note">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Links({ links }: { links: readonly PageLink[] }) {
  return (
    <ul class="links">
      {links.map(({ text, href, note }) => (
        <li>
          <a href={href}>{text}</a>
          {note !== undefined && <>: {note}</>}
        </li>
      ))}
    </ul>
  );
}

function SnippetView({ snippet: { label, language, text } }: { snippet: Snippet }) {
  return (
    <figure class="snippet">
      <figcaption>{label}</figcaption>
      <pre class="code-block" tabindex={0} data-copy="" data-language={language}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** Width of the drawing, in its own units. */
const LENGTH = 1000;

/** An SVG: a width computed from data would otherwise need an inline style, which the policy forbids. */
function ProgressBarView({ progress: { label, value, max, marks, text } }: { progress: ProgressBar }) {
  const most = [value, max, ...marks.map(({ at }) => at)].map(BigInt).reduce((a, b) => (a > b ? a : b));
  const place = (baseUnits: string) => placeOf(BigInt(baseUnits), most);
  return (
    <div class="progress">
      <svg
        class="progress-bar"
        viewBox={`0 0 ${LENGTH} 16`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${text}`}
      >
        <rect class="progress-whole" x="0" y="4" width={LENGTH} height="8" rx="4" />
        <rect class="progress-part" x="0" y="4" width={place(value)} height="8" rx="4" />
        {marks.map(({ at }) => (
          <rect class="progress-mark" x={Math.min(LENGTH - 3, place(at))} y="0" width="3" height="16" />
        ))}
      </svg>
      <p class="progress-text">{text}</p>
    </div>
  );
}

/** In whole units of the drawing; money stays a bigint until then. */
function placeOf(value: bigint, most: bigint): number {
  return most === 0n ? 0 : Number((value * BigInt(LENGTH)) / most);
}
