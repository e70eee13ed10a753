/** @jsxImportSource hono/jsx */
/**
 * A GET form: it works without a script, and its result has a URL.
 * @module
 */
import type { Field, FilterForm } from "../page.ts";

/** Characters that can be typed. */
const LONGEST = 200;

export function FilterFormView({ form, section }: { form: FilterForm; section: string }) {
  const { action, label, submit, attributes = {}, fields, reset, hidden = {} } = form;
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
        <button class="button" type="submit">
          {submit}
        </button>
        {reset !== null && <a href={reset}>Show all</a>}
      </div>
    </form>
  );
}

function FieldView({ field, id }: { field: Field; id: string }) {
  const { name, label, value, options, input = "search", attributes = {} } = field;
  return (
    <p class={`field field--${input}`}>
      <label for={id}>{label}</label>
      {options === undefined ? (
        <input
          id={id}
          name={name}
          type={input}
          value={value}
          placeholder={input === "search" ? label : undefined}
          {...(input === "number" ? { min: "0", step: "1", inputmode: "numeric" } : { maxlength: LONGEST })}
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
    </p>
  );
}
