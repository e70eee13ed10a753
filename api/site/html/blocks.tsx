/** @jsxImportSource hono/jsx */
/** @module The blocks of a page in HTML. */
import { raw } from "hono/html";
import type { Snippet } from "../endpoint.ts";
import type { AuditBadge, Block, Chart, PageLink, Section } from "../page.ts";
import { CompareForm } from "./choose.tsx";
import { EndpointView, PropertyLists } from "./endpoint.tsx";
import { FilterFormView } from "./form.tsx";
import { CodeBlock, OperationListView, TabsView, WithCode } from "./operation.tsx";
import { ProgressBarView, SharesView } from "./progress.tsx";
import { proseHtml } from "./prose.ts";
import { DataTable } from "./table.tsx";
import { Facts } from "./value.tsx";

/** A section with its heading. The refresh replaces it by its id. */
export function SectionView({ section }: { section: Section }) {
  const { id, title, blocks, tone, isFolded, fold } = section;
  const headingId = `${id}-title`;
  const heading = title !== null && <h2 id={headingId}>{title}</h2>;
  const content = blocks.map((block) => <BlockView block={block} section={id} />);
  return (
    <section
      class={tone === undefined ? "section" : `section card card--${tone}`}
      id={id}
      aria-labelledby={title === null ? undefined : headingId}
    >
      {isFolded ? (
        <details class="fold">
          <summary>{heading}</summary>
          {content}
        </details>
      ) : (
        <>
          {heading}
          {fold === undefined ? (
            content
          ) : (
            <details class="phone-fold">
              <summary data-markdown-ignore="">{fold}</summary>
              {content}
            </details>
          )}
        </>
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
      return (
        <>
          {block.heading !== undefined && <h3>{block.heading}</h3>}
          <Facts look={block.look} facts={block.facts} />
        </>
      );
    case "table":
      return <DataTable table={block.table} />;
    case "progress":
      return <ProgressBarView progress={block.progress} />;
    case "chart":
      return <ChartView chart={block.chart} />;
    case "picture": {
      const { src, alt, height, width } = block.picture;
      return (
        <p>
          <img src={src} alt={alt} height={height} width={width} />
        </p>
      );
    }
    case "links":
      return <Links {...block} />;
    case "shares":
      return <SharesView shares={block.shares} />;
    case "proof":
      return <AuditBadgeView proof={block.proof} />;
    case "prover":
      return (
        <div
          id="prover"
          class="prover"
          data-markdown-ignore=""
          data-listing={block.publicId}
          data-chain={block.chainId}
          data-node={block.publicNode ?? undefined}
        />
      );
    case "compare":
      return <CompareForm />;
    case "action":
      return (
        <div class="action">
          <a class={block.isSecondary ? "button button--secondary" : "button"} href={block.link.href}>
            {block.link.text}
          </a>
          {block.link.note !== undefined && <p>{block.link.note}</p>}
        </div>
      );
    case "notice":
      return (
        <p class={`notice notice--${block.tone}`}>
          <strong>{block.word}</strong> {block.text}
        </p>
      );
    case "snippet":
      return <SnippetView snippet={block.snippet} />;
    case "tabs":
      return <TabsView tabs={block.tabs} />;
    case "operations":
      return <OperationListView list={block.operations} />;
    case "endpoint":
      return <EndpointView endpoint={block.endpoint} />;
    case "properties":
      return <PropertyLists lists={block.lists} />;
    case "note":
      return (
        <p>
          <WithCode text={block.text} />
        </p>
      );
    case "form":
      return <FilterFormView form={block.form} section={section} />;
  }
}

function ChartView({ chart }: { chart: Chart }) {
  const { title, svg, table, fold = "Figures as a table", isTableOpen } = chart;
  if (svg === null) return <DataTable table={table} />;
  return (
    <figure class="chart" aria-label={title}>
      <div data-markdown-ignore="">{svg}</div>
      {table.rows.length === 0 ? (
        <DataTable table={table} />
      ) : (
        <details class="chart-data" open={isTableOpen}>
          <summary data-markdown-ignore="">{fold}</summary>
          <DataTable table={table} />
        </details>
      )}
    </figure>
  );
}

function Quote({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  return (
    <blockquote class="quote" dir="auto">
      {paragraphs.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </blockquote>
  );
}

function Links({ look, label, links }: Extract<Block, { kind: "links" }>) {
  return (
    <ul class={look ?? "links"} aria-label={label}>
      {links.map(({ text, href, note, marks, isCurrent }) => (
        <li>
          <a href={href} aria-current={isCurrent ? "true" : undefined}>
            {text}
          </a>
          {note !== undefined && (
            <>
              <span class="link-colon">: </span>
              <span class="link-note">{marked(note, marks)}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function marked(text: string, marks: PageLink["marks"] = []) {
  const parts = marks.map(([start, end], at) => (
    <>
      {text.slice(marks[at - 1]?.[1] ?? 0, start)}
      <mark>{text.slice(start, end)}</mark>
    </>
  ));
  return (
    <>
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}

/** The audit line, with a dot in the colour of the result; the words say the same. */
export function AuditBadgeView({ proof: { text, href, tone } }: { proof: AuditBadge }) {
  return (
    <p class={`proof proof--${tone}`}>
      <a href={href}>{text}</a>
    </p>
  );
}

function SnippetView({ snippet: { label, language, text } }: { snippet: Snippet }) {
  return (
    <figure class="snippet">
      <figcaption>{label}</figcaption>
      <CodeBlock {...{ language, text }} canCopy />
    </figure>
  );
}
