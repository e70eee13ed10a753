/** @module The knowledge base's Markdown as HTML. The loader refuses raw HTML and unsafe links; this does not rely on it. */
import GithubSlugger from "github-slugger";
import { html } from "hono/html";
import { Marked, type Token, type Tokens } from "marked";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { FOR_DEVELOPERS, inlineText } from "../../knowledge/markdown.ts";

const SAFE_LINK = /^(https?:\/\/|\/(?![/\\])|#)/;

/** Headings get the anchors that links and search hits point to. What follows "For developers" is closed at first. */
export function proseHtml(markdown: string): string {
  const slugger = new GithubSlugger();
  const marked = new Marked({ async: false, gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const anchor = escapeHtml(slugger.slug(inlineText(tokens)));
        const level = Math.min(6, Math.max(2, depth));
        return `<h${level} id="${anchor}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const shown = this.parser.parseInline(tokens);
        return SAFE_LINK.test(href) ? `<a href="${escapeHtml(href)}">${shown}</a>` : shown;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      image: ({ text }: Tokens.Image) => escapeHtml(text),
      code: ({ text }: Tokens.Code) =>
        // Lines wider than the screen scroll, by keyboard too.
        `<pre class="code-block" tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table(token: Tokens.Table) {
        const cell = (tag: "th" | "td") => (one: Tokens.TableCell) => {
          const scope = tag === "th" ? ' scope="col"' : "";
          const side = one.align === "right" ? ' class="end"' : "";
          return `<${tag}${scope}${side}>${this.parser.parseInline(one.tokens)}</${tag}>`;
        };
        const head = token.header.map(cell("th")).join("");
        const rows = token.rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("\n");
        return `<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table class="table"><thead><tr>${head}</tr></thead><tbody>\n${rows}\n</tbody></table></div>\n`;
      },
    },
  });
  // Before parsing: removed later, they could change an address.
  const tokens = marked.lexer(stripControl(markdown, { keepLineFeeds: true }));
  const at = tokens.findIndex(isForDevelopers);
  if (at < 0) return marked.parser(tokens);
  // In the order of the page: repeated headings are numbered.
  const before = marked.parser(tokens.slice(0, at));
  const heading = marked.parser(tokens.slice(at, at + 1));
  const folded = marked.parser(tokens.slice(at + 1));
  return `${before}<details class="fold"><summary>${heading.trim()}</summary>\n${folded}</details>\n`;
}

function isForDevelopers(token: Token): boolean {
  return token.type === "heading" && token.depth === 2 && inlineText(token.tokens) === FOR_DEVELOPERS;
}

function escapeHtml(text: string): string {
  return html`${text}`.toString();
}
