/** @jsxImportSource hono/jsx */
/** @module A form that filters a page. It sends its query by GET, so that it works without scripts. */
import type { Field, FilterForm } from "../page.ts";

const LONGEST = 200;

/** @param section id of the section that it is in */
export function FilterFormView({ form, section }: { form: FilterForm; section: string }) {
  const { action, label, submit, apply, attributes = {}, fields, reset, hidden = {}, isSecondary } = form;
  const extras = fields.filter(({ isExtra }) => isExtra);
  const view = (field: Field) => <FieldView field={field} section={section} />;
  const clear = reset !== null && <a href={reset}>{extras.length > 0 ? "Clear filters" : "Show all"}</a>;
  return (
    <form
      class="filter"
      method="get"
      action={action}
      aria-label={label}
      // The address says what is asked for, not what was typed before.
      autocomplete="off"
      data-markdown-ignore=""
      {...attributes}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {fields.filter(({ isExtra }) => !isExtra).map(view)}
      <div class="filter-buttons">
        <button class={isSecondary ? "button button--secondary" : "button"} type="submit">
          {submit}
        </button>
        {extras.length === 0 && clear}
      </div>
      {extras.length > 0 && (
        <details class="filter-more">
          <summary>Filters</summary>
          <div class="filter-panel">
            <div class="filter-fields">
              {inRanges(extras).map(({ range, fields }) =>
                range === undefined ? (
                  fields.map(view)
                ) : (
                  <fieldset class="field field--range">
                    <legend>{range}</legend>
                    {fields.map(view)}
                  </fieldset>
                ),
              )}
            </div>
            <div class="filter-buttons">
              <button class="button" type="submit">
                {apply ?? submit}
              </button>
              {clear}
            </div>
          </div>
        </details>
      )}
    </form>
  );
}

/** The fields in their order, the two ends of a range together. */
function inRanges(fields: readonly Field[]): { range: string | undefined; fields: Field[] }[] {
  const groups: { range: string | undefined; fields: Field[] }[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last !== undefined && field.range !== undefined && last.range === field.range)
      last.fields.push(field);
    else groups.push({ range: field.range, fields: [field] });
  }
  return groups;
}

function FieldView({ field, section }: { field: Field; section: string }) {
  const { name, label, value, options, checks, input = "search", hint, attributes = {} } = field;
  const id = `${section}-${name}`;
  if (checks !== undefined) return <Checks field={field} id={id} />;
  return (
    <p class={`field field--${input}`}>
      <label for={id}>{label}</label>
      {input === "code" ? (
        // A browser drops the first line feed.
        <textarea id={id} name={name} spellcheck={false} autocapitalize="off" {...attributes}>
          {`\n${value}`}
        </textarea>
      ) : options === undefined ? (
        <input
          id={id}
          name={name}
          value={value}
          placeholder={input === "search" ? label : undefined}
          {...KINDS[input]}
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

const KINDS: Record<Exclude<NonNullable<Field["input"]>, "code">, Record<string, string | number>> = {
  search: { type: "search", maxlength: LONGEST, dir: "auto" },
  number: { type: "number", min: "0", step: "1", inputmode: "numeric" },
  decimal: { type: "number", min: "0", step: "any", inputmode: "decimal" },
  // With cents and thousands separators as people write them, which a number field refuses.
  amount: { type: "text", maxlength: LONGEST, inputmode: "decimal", autocomplete: "off" },
};

function Checks({ field, id }: { field: Field; id: string }) {
  const { name, label, checks = [], shortcuts = [], attributes = {} } = field;
  return (
    <fieldset class="field field--checks" {...attributes}>
      <legend>{label}</legend>
      <p>
        {checks.map(({ value, label, isChosen }, at) => (
          <span class="check">
            <input
              id={`${id}-${at}`}
              type="checkbox"
              name={name}
              value={value}
              checked={isChosen}
              {...attributes}
            />{" "}
            <label for={`${id}-${at}`}>{label}</label>
          </span>
        ))}
      </p>
      {shortcuts.length > 0 && (
        <p class="field-shortcuts">
          {shortcuts.map(({ text, href, isCurrent }) => (
            <a href={href} aria-current={isCurrent ? "true" : undefined}>
              {text}
            </a>
          ))}
        </p>
      )}
    </fieldset>
  );
}
