/** @jsxImportSource hono/jsx */
/** @module Values and facts in HTML, with the exact value for programs, and signs that do not depend on colour. */
import { formatAmount } from "../../market/amount.ts";
import type { Fact } from "../page.ts";
import { formatClock } from "../times.ts";
import { exactOf, textOf, type Value } from "../value.ts";

export function ValueText({ value }: { value: Value }) {
  const shown = textOf(value);
  switch (value.kind) {
    case "amount":
      return (
        <data
          class={amountClass(shown)}
          value={value.baseUnits}
          title={formatAmount(value.baseUnits, { unit: value.unit, digits: "all" })}
        >
          <Money shown={shown} />
        </data>
      );
    case "rate":
      return (
        <data
          class={value.words === undefined ? "rate" : undefined}
          value={String(value.basisPoints)}
          title={`${value.basisPoints} basis points`}
        >
          {shown}
        </data>
      );
    case "share":
      return <data value={String(value.basisPoints)}>{shown}</data>;
    case "part":
      return (
        <data
          class={amountClass(shown)}
          value={value.part}
          title={formatAmount(value.part, { digits: "all" })}
        >
          {shown}
        </data>
      );
    case "count":
      return (
        <data class="rate" value={String(value.count)}>
          {shown}
        </data>
      );
    case "time":
      return (
        <time
          class={value.isClock ? "clock" : undefined}
          datetime={value.iso}
          title={value.isClock ? shown : value.iso}
        >
          {value.isClock ? formatClock(value.iso) : value.isDate ? <DateFirst shown={shown} /> : shown}
        </time>
      );
    case "status":
      return <span class={`chip chip--${value.status}`}>{shown}</span>;
    case "grade":
      return <span class={`grade grade--${value.grade.toLowerCase()}`}>{shown}</span>;
    case "repayment":
      return <span class={`chip chip--${value.repayment.replace("_", "-")}`}>{shown}</span>;
    case "finality":
      return <span class={`finality finality--${value.finality}`}>{shown}</span>;
    case "code": {
      const shownCode = (
        <code class="code" title={value.isShort ? value.text : undefined}>
          {shown}
        </code>
      );
      if (value.href === undefined) return shownCode;
      return (
        <a href={value.href} rel="noopener noreferrer">
          {shownCode}
          <span aria-hidden="true"> ↗</span>
          <span class="visually-hidden"> on the block explorer</span>
        </a>
      );
    }
    case "word":
      return <span class={value.tone === undefined ? undefined : `chip chip--${value.tone}`}>{shown}</span>;
    case "link":
      return (
        <a href={value.href} rel={value.isForeign ? "nofollow ugc noopener noreferrer" : undefined}>
          {shown}
        </a>
      );
    default:
      return <>{shown}</>;
  }
}

/** The longest figure that no layout may break: millions with their cents, and a sign. */
const LONGEST_UNBROKEN = 14;

function amountClass(shown: string): string {
  const isLong = shown.split(" ").some((word) => word.length > LONGEST_UNBROKEN);
  return isLong ? "amount amount--long" : "amount";
}

/** A figure and its unit, which wrap as a whole. */
function Money({ shown }: { shown: string }) {
  const end = shown.indexOf(" ");
  if (end < 0) return <>{shown}</>;
  return (
    <>
      {shown.slice(0, end)} <span class="unit">{shown.slice(end + 1)}</span>
    </>
  );
}

/** A date, and its time in small. The space between them is where they break: it must not stand within the time, which stays whole. */
function DateFirst({ shown }: { shown: string }) {
  const end = shown.indexOf(",") + 1;
  return (
    <>
      {shown.slice(0, end)} <span class="unit">{shown.slice(end + 1)}</span>
    </>
  );
}

export function factAttributes(key: string, value: Value): Record<string, string> {
  const exact = exactOf(value);
  return { "data-fact": key, ...(exact === null ? {} : { "data-exact": exact }) };
}

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
export function FactView({ fact, class: own }: { fact: Fact; class?: string }) {
  const { key, label, value, note, source, href } = fact;
  return (
    <div class={own === undefined ? "fact" : `fact ${own}`}>
      <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
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
