/** @jsxImportSource hono/jsx */
/** The blocks of a page in HTML. @module */
import { raw } from "hono/html";
import type { AuditBadge, Block, Chart, Field, FilterForm, Section, Snippet } from "../page.ts";
import { CodeBlock, OperationListView, TabsView } from "./operation.tsx";
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
      const { src, alt, height } = block.picture;
      return (
        <p>
          <img src={src} alt={alt} height={height} />
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
    case "form":
      return <FilterFormView form={block.form} section={section} />;
  }
}

function ChartView({ chart: { title, svg, table } }: { chart: Chart }) {
  if (svg === null) return <DataTable table={table} />;
  return (
    <figure class="chart" aria-label={title}>
      <div data-markdown-ignore="">{svg}</div>
      {table.rows.length === 0 ? (
        <DataTable table={table} />
      ) : (
        <details class="chart-data">
          <summary data-markdown-ignore="">Figures as a table</summary>
          <DataTable table={table} />
        </details>
      )}
    </figure>
  );
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

function Links({ look, label, links }: Extract<Block, { kind: "links" }>) {
  return (
    <ul class={look ?? "links"} aria-label={label}>
      {links.map(({ text, href, note, isCurrent }) => (
        <li>
          <a href={href} aria-current={isCurrent ? "true" : undefined}>
            {text}
          </a>
          {note !== undefined && (
            <>
              <span class="link-colon">: </span>
              <span class="link-note">{note}</span>
            </>
          )}
        </li>
      ))}
    </ul>
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

const LONGEST = 200;

function FilterFormView({ form, section }: { form: FilterForm; section: string }) {
  const { action, label, submit, attributes = {}, fields, reset, hidden = {}, isSecondary } = form;
  const extras = fields.filter(({ isExtra }) => isExtra);
  const view = (field: Field) => <FieldView field={field} id={`${section}-${field.name}`} />;
  return (
    <form
      class="filter"
      method="get"
      action={action}
      aria-label={label}
      data-markdown-ignore=""
      {...attributes}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {fields.filter(({ isExtra }) => !isExtra).map(view)}
      {extras.length > 0 && (
        <details class="filter-more">
          <summary>Filters</summary>
          <div class="filter-fields">{extras.map(view)}</div>
        </details>
      )}
      <div class="filter-buttons">
        <button class={isSecondary ? "button button--secondary" : "button"} type="submit">
          {submit}
        </button>
        {reset !== null && <a href={reset}>Show all</a>}
      </div>
    </form>
  );
}

const INPUTS = {
  search: { type: "search", maxlength: LONGEST },
  number: { type: "number", min: "0", step: "1", inputmode: "numeric" },
  // With cents and thousands separators as people write them, which a number field refuses.
  amount: { type: "text", maxlength: LONGEST, inputmode: "decimal", autocomplete: "off" },
} as const;

function FieldView({ field, id }: { field: Field; id: string }) {
  const { name, label, value, options, input = "search", hint, attributes = {} } = field;
  return (
    <p class={`field field--${input}`}>
      <label for={id}>{label}</label>
      {options === undefined ? (
        <input
          id={id}
          name={name}
          value={value}
          placeholder={input === "search" ? label : undefined}
          {...INPUTS[input]}
          aria-describedby={hint && `${id}-hint`}
          aria-invalid={hint?.isProblem ? "true" : undefined}
          {...attributes}
        />
      ) : (
        <select id={id} name={name} {...attributes}>
          {options.map((option) => (
            <option value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {hint !== undefined && (
        <small class="field-hint" id={`${id}-hint`} aria-live="polite">
          {hint.text}
        </small>
      )}
    </p>
  );
}
