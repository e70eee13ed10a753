/** @jsxImportSource hono/jsx */
/**
 * Facts: a label and a value each, with a note and a link to the value's source.
 * @module
 */
import type { Fact } from "../page.ts";
import { factAttributes, ValueText } from "./value.tsx";

export function Facts({ look, facts }: { look: "grid" | "list" | "figure"; facts: readonly Fact[] }) {
  return (
    <dl class={`facts facts--${look}`}>
      {facts.map((fact) => (
        <FactView fact={fact} />
      ))}
    </dl>
  );
}

/** @param class besides the one of all facts */
export function FactView({
  fact: { key, label, value, note, source },
  class: own,
}: {
  fact: Fact;
  class?: string;
}) {
  return (
    <div class={own === undefined ? "fact" : `fact ${own}`}>
      <dt>{label}</dt>
      <dd>
        <span {...factAttributes(key, value)}>
          <ValueText value={value} />
        </span>
        {(note !== undefined || source !== undefined) && (
          <div class="fact-note">
            {note}
            {source !== undefined && (
              <>
                {note === undefined ? "" : " "}
                <a href={source.href}>{source.text}</a>
              </>
            )}
          </div>
        )}
      </dd>
    </div>
  );
}
