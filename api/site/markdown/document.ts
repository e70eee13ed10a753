/** @module A page as Markdown, in the order of the HTML. Links are absolute: the text is read elsewhere. */
import { isolated, stripButIsolations } from "../../../config/format/untrusted-text.ts";
import { PATHS } from "../../http/links.ts";
import { frontmatter } from "../../knowledge/frontmatter.ts";
import type { Endpoint, Property, PropertyList, Snippet, Tabs } from "../endpoint.ts";
import type { Block, Fact, Field, FilterForm, Operation, Page, PageLink, Section, Table } from "../page.ts";
import type { Sync } from "../system/sync.ts";
import { textOf, type Value } from "../value.ts";
import { codeBlock, escapeLine, inlineCode } from "./escape.ts";

type MarkdownParameters = {
  page: Page;
  sync: Sync;
  publicUrl: string;
  /** whether llms.txt contains the page in full */
  isInLlms: boolean;
  /** whether it is an error page, without its own address and date */
  isError: boolean;
};

export function documentMarkdown({ page, sync, publicUrl, isInLlms, isError }: MarkdownParameters): string {
  const { path, title, description, updated, badges = [], proof, sections } = page;
  const llms = isInLlms ? "All pages of the knowledge base in one file" : "Index of this site for agents";
  const lead = `> ${escapeLine(description)} ${llms}: [llms.txt](${publicUrl}${PATHS.llms})`;
  const parts = [
    `# ${escapeLine(title)}`,
    lead,
    ...(sync.state === "ok" ? [] : [`> **Note:** ${escapeLine(sync.text)}`]),
    ...(proof === undefined ? [] : [linkMarkdown(proof, publicUrl)]),
    ...(badges.length === 0 ? [] : [factsMarkdown(badges, publicUrl)]),
    ...sections.map((section) => sectionMarkdown(section, publicUrl)),
  ];
  const facts = {
    title: stripButIsolations(title),
    description: stripButIsolations(description),
    ...(isError ? {} : { canonical: publicUrl + path, last_updated: updated }),
  };
  // JSON does not escape line separators, and YAML 1.1 ends a line at them.
  const head = frontmatter(facts)
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
  return `${head}\n${parts.join("\n\n")}\n`;
}

export function sectionMarkdown({ title, blocks }: Section, publicUrl: string): string {
  const parts = blocks.map((block) => blockMarkdown(block, publicUrl)).filter((part) => part !== "");
  return [...(title === null ? [] : [`## ${escapeLine(title)}`]), ...parts].join("\n\n");
}

function blockMarkdown(block: Block, publicUrl: string): string {
  switch (block.kind) {
    case "paragraph":
      return escapeLine(block.text);
    case "quote":
      return quoteMarkdown(block.text);
    case "prose":
      return block.markdown.trim();
    case "facts": {
      const written = factsMarkdown(block.facts, publicUrl);
      return block.heading === undefined ? written : `### ${escapeLine(block.heading)}\n\n${written}`;
    }
    case "table":
      return tableMarkdown(block.table, publicUrl);
    case "progress":
      return block.progress.isQuiet
        ? ""
        : `**${escapeLine(block.progress.label)}**: ${escapeLine(block.progress.text)}`;
    case "chart":
      return tableMarkdown(block.chart.table, publicUrl);
    case "picture":
      return `![${escapeLine(block.picture.alt)}](${absolute(block.picture.src, publicUrl)})`;
    case "links":
      return block.links.map((one) => `- ${linkMarkdown(one, publicUrl)}`).join("\n");
    case "shares": {
      const { whole, parts, text, more } = block.shares;
      const facts = factsMarkdown([whole, ...parts.map(({ fact }) => fact)], publicUrl);
      const end = more === undefined ? "" : ` ${linkMarkdown(more, publicUrl)}`;
      return `${facts}\n\n${escapeLine(text)}${end}`;
    }
    case "proof":
      return linkMarkdown(block.proof, publicUrl);
    case "prover":
    case "compare":
      return "";
    case "action":
      return linkMarkdown(block.link, publicUrl);
    case "notice":
      return `> **${block.word}** ${escapeLine(block.text)}`;
    case "snippet":
      return snippetMarkdown(block.snippet);
    case "tabs":
      return tabsMarkdown(block.tabs);
    case "operations":
      return block.operations.operations.map((one) => operationMarkdown(one, publicUrl)).join("\n\n");
    case "endpoint":
      return endpointMarkdown(block.endpoint, publicUrl);
    case "properties":
      return propertiesMarkdown(block.lists, publicUrl);
    case "note":
      return descriptionMarkdown(block.text);
    case "form":
      return formMarkdown(block.form, publicUrl);
  }
}

function factsMarkdown(facts: readonly Fact[], publicUrl: string): string {
  return facts
    .map(({ label, value, note, source, href }) => {
      const beside = [
        ...(note === undefined ? [] : [escapeLine(note)]),
        ...(source === undefined ? [] : [linkMarkdown(source, publicUrl)]),
      ].join(" ");
      const name = href === undefined ? escapeLine(label) : linkMarkdown({ text: label, href }, publicUrl);
      const shown = `- **${name}**: ${valueMarkdown(value, publicUrl)}`;
      return beside === "" ? shown : `${shown} (${beside})`;
    })
    .join("\n");
}

function valueMarkdown(value: Value, publicUrl: string): string {
  if (value.kind === "code") {
    const shown = inlineCode(value.text);
    return value.href === undefined ? shown : `[${shown}](${absolute(value.href, publicUrl)})`;
  }
  if (value.kind === "link") return `[${escapeLine(textOf(value))}](${absolute(value.href, publicUrl)})`;
  return escapeLine(textOf(value));
}

function tableMarkdown({ caption, columns, rows, empty }: Table, publicUrl: string): string {
  if (rows.length === 0) return escapeLine(empty);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const none: Value = { kind: "none" };
  return [
    `${escapeLine(caption)}:`,
    "",
    line(columns.map(({ label }) => escapeLine(label))),
    line(columns.map(({ align }) => (align === "end" ? "---:" : "---"))),
    ...rows.map(({ cells }) => line(columns.map((_, at) => cellMarkdown(cells[at] ?? none, publicUrl)))),
  ].join("\n");
}

/** Parsers split rows at bars first: inside code, a bar cannot be escaped. */
function cellMarkdown(value: Value, publicUrl: string): string {
  const isCut = value.kind === "code" && value.text.includes("|");
  return isCut ? escapeLine(value.text) : valueMarkdown(value, publicUrl);
}

function snippetMarkdown({ label, language, text }: Snippet): string {
  return `${escapeLine(label)}:\n\n${codeBlock(language, text)}`;
}

function tabsMarkdown({ label, snippets }: Tabs): string {
  return [`${escapeLine(label)}.`, ...snippets.map(snippetMarkdown)].join("\n\n");
}

/** Descriptions have code in backticks. */
function descriptionMarkdown(description: string): string {
  const parts = description.split("`");
  return parts.map((part, index) => (index % 2 === 1 ? inlineCode(part) : part && spaced(part))).join("");
}

/** Escaped, with the spaces at its ends. */
function spaced(text: string): string {
  const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return `${before}${words && escapeLine(words)}${after}`;
}

function operationMarkdown(operation: Operation, publicUrl: string): string {
  const { method, path, summary, description, parameters, reference, request, answer } = operation;
  const about = `${descriptionMarkdown(description)} ${linkMarkdown({ text: "Reference", href: reference }, publicUrl)}`;
  return [
    `### ${escapeLine(`${method} ${path}`)}`,
    `${escapeLine(summary)}.`,
    about,
    ...(parameters.length === 0 ? [] : [`Parameters: ${parameters.map(inlineCode).join(", ")}`]),
    ...request.snippets.map(snippetMarkdown),
    ...(answer === null ? [] : [snippetMarkdown(answer)]),
  ].join("\n\n");
}

function endpointMarkdown(endpoint: Endpoint, publicUrl: string): string {
  const { method, path, description, parameters, answers, request, open, answer, leftOut } = endpoint;
  return [
    inlineCode(`${method} ${path}`),
    descriptionMarkdown(description),
    ...request.snippets.map(snippetMarkdown),
    ...(open === null
      ? []
      : [linkMarkdown({ text: `Open this request of ${method} ${path}`, href: open }, publicUrl)]),
    ...(answer === null ? [] : [snippetMarkdown(answer)]),
    ...(leftOut === null ? [] : [descriptionMarkdown(leftOut)]),
    propertiesMarkdown([...parameters, answers], publicUrl),
  ].join("\n\n");
}

function propertiesMarkdown(lists: readonly PropertyList[], publicUrl: string): string {
  return lists
    .map(({ title, properties }) => {
      const lines = properties.map((one) => `- ${propertyMarkdown(one, publicUrl)}`);
      return [`### ${escapeLine(title)}`, "", ...lines].join("\n");
    })
    .join("\n\n");
}

function propertyMarkdown(property: Property, publicUrl: string): string {
  const { name, type, isOptional, text, limits = "" } = property;
  // The place of an object on the same page is its heading, whose anchor Markdown makes of the name alone.
  const href = property.href?.replace(/^#(?:object|type)-(\w+)$/, (_, own) => `#${own.toLowerCase()}`);
  const shown =
    href !== undefined && type === ""
      ? `[${inlineCode(name)}](${absolute(href, publicUrl)})`
      : inlineCode(name);
  const linked = href === undefined ? escapeLine(type) : linkMarkdown({ text: type, href }, publicUrl);
  const types = type === "" ? "" : ` ${linked}${isOptional ? ", optional" : ""}`;
  const words = [text, limits].filter((some) => some !== "").map(descriptionMarkdown);
  return `${shown}${types}${words.length === 0 ? "" : `: ${words.join(" ")}`}`;
}

function linkMarkdown(
  { text, href, note }: Pick<PageLink, "text" | "href" | "note">,
  publicUrl: string,
): string {
  const shown = `[${escapeLine(text)}](${absolute(href, publicUrl)})`;
  return note === undefined ? shown : `${shown}: ${escapeLine(note)}`;
}

/** Keeps a third party's lines; an empty one separates paragraphs. */
function quoteMarkdown(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${escapeLine(isolated(line))}`.trimEnd())
    .join("\n");
}

/** A form as its URL, with a list of query parameters, and what is wrong with them. */
function formMarkdown({ label, action: target, fields }: FilterForm, publicUrl: string): string {
  const [action = ""] = target.split("#");
  const problems = fields.flatMap(({ hint }) =>
    hint?.isProblem ? [`> **Problem:** ${escapeLine(hint.text)}`, ""] : [],
  );
  const parameters = fields.map(({ name, description, options, checks, hint }) => {
    const choices = (options ?? checks ?? []).map(({ value }) => value).filter((value) => value !== "");
    const which = checks === undefined ? "One" : "One or more";
    const allowed = choices.length === 0 ? "" : ` ${which} of ${choices.map(inlineCode).join(", ")}.`;
    const note = hint === undefined || hint.isProblem ? "" : ` ${escapeLine(hint.text)}`;
    return `- ${inlineCode(name)}: ${escapeLine(description)}${allowed}${note}`;
  });
  return [
    ...problems,
    `[${escapeLine(label)}](${absolute(target, publicUrl)}) with a query, such as ${inlineCode(`${publicUrl}${action}?${exampleOf(fields)}`)}:`,
    "",
    ...parameters,
  ].join("\n");
}

const EXAMPLE_VALUES: { [Input in NonNullable<Field["input"]>]?: string } = {
  amount: "1000",
  code: "{ stats { raised } }",
};

function exampleOf(fields: readonly Field[]): string {
  const chosen = fields.flatMap(({ name, options }): [string, string][] => {
    const choice = options?.find(({ value }) => value !== "")?.value;
    return choice === undefined ? [] : [[name, choice]];
  });
  const query =
    chosen.length === 0
      ? fields.slice(0, 1).map(({ name, input }) => [name, EXAMPLE_VALUES[input ?? "search"] ?? "words"])
      : chosen.slice(0, 2);
  return new URLSearchParams(query).toString();
}

/** Spaces and brackets would end the link target. */
function absolute(href: string, publicUrl: string): string {
  const target = href.startsWith("/") ? publicUrl + href : href;
  // `encodeURIComponent` does not encode brackets.
  return target.replace(/[\s()<>\\]/g, (character) =>
    /[()]/.test(character) ? `%${character.charCodeAt(0).toString(16)}` : encodeURIComponent(character),
  );
}
