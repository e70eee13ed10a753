/** @jsxImportSource hono/jsx */
/**
 * Operations, and snippets in several languages. Both work without a script: an operation is a `details`, and a
 * language is chosen by radio buttons, whose state the stylesheet follows.
 * @module
 */

import type { Snippet, Tabs } from "../endpoint.ts";
import type { Operation, OperationList } from "../page.ts";
import { tokensOf } from "./highlight.ts";

export function TabsView({ tabs: { id, label, snippets } }: { tabs: Tabs }) {
  if (snippets.length === 1) return <div class="tabs">{snippets.map(panel)}</div>;
  return (
    <fieldset class="tabs">
      <legend data-markdown-ignore="">{label}</legend>
      <div class="tab-names" data-markdown-ignore="">
        {snippets.map((snippet, index) => (
          <label>
            <input type="radio" name={`language-${id}`} value={snippet.language} checked={index === 0} />
            {snippet.label}
          </label>
        ))}
      </div>
      {snippets.map(panel)}
    </fieldset>
  );
}

const panel = ({ label, language, text }: Snippet) => (
  <figure class={`tab tab--${language}`} aria-label={label}>
    <CodeBlock {...{ language, text }} canCopy />
  </figure>
);

export function OperationListView({ list: { fold, operations } }: { list: OperationList }) {
  const all = operations.map((operation) => <OperationView operation={operation} />);
  if (fold === null) return <div class="operations">{all}</div>;
  return (
    <details class="operations-fold">
      <summary data-markdown-ignore="">{fold}</summary>
      <div class="operations">{all}</div>
    </details>
  );
}

/** The id is within, so that a link to it opens the fold. */
function OperationView({ operation }: { operation: Operation }) {
  const { id, method, path, summary, description, parameters, reference, request, answer } = operation;
  return (
    <details class="operation" open={operation.isOpen}>
      <summary data-markdown-ignore="">
        <span class={`method method--${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
        <span class="operation-summary">{summary}</span>
      </summary>
      <div class="operation-body" id={id}>
        <p>
          <WithCode text={description} />{" "}
          <a href={reference} aria-label={`Reference of ${method} ${path}`}>
            Reference
          </a>
        </p>
        {parameters.length > 0 && (
          <p class="operation-parameters">
            Parameters:{" "}
            {parameters.map((name, index) => (
              <>
                {index > 0 && ", "}
                <code>{name}</code>
              </>
            ))}
          </p>
        )}
        <div class="operation-pair">
          <TabsView tabs={request} />
          {answer !== null && <AnswerView answer={answer} />}
        </div>
      </div>
    </details>
  );
}

/** Descriptions have code in backticks. */
export function WithCode({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

export function AnswerView({ answer: { label, language, text } }: { answer: Snippet }) {
  return (
    <figure class="answer">
      <figcaption>{label}</figcaption>
      <CodeBlock {...{ language, text }} />
    </figure>
  );
}

export function CodeBlock({ language, text, canCopy }: Omit<Snippet, "label"> & { canCopy?: boolean }) {
  return (
    <pre class="code-block" tabindex={0} data-copy={canCopy ? "" : undefined} data-language={language}>
      <code>
        {tokensOf(language, text).map(({ kind, text }) =>
          kind === null ? text : <span class={`code-${kind}`}>{text}</span>,
        )}
      </code>
    </pre>
  );
}
