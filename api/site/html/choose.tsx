/** @jsxImportSource hono/jsx */
/** @module How a reader chooses raises: boxes to compare some, which are parts of one form, a star that the browser keeps, and a button to share a page. */

import { SITE_PATHS } from "../paths.ts";

/** Contains a capital letter, so that it never equals an anchor of the knowledge base. */
const FORM = "compareForm";

/** @param title may be a third party's */
export function RaiseChoice({ id, title }: { id: string; title: string }) {
  return (
    <span class="choice" data-markdown-ignore="">
      <label class="choice-box">
        <input type="checkbox" name="ids" value={id} form={FORM} />
        <span class="choice-word">Compare</span>
        <span class="visually-hidden"> {title}</span>
      </label>
      <Star id={id} title={title} />
    </span>
  );
}

/** Hidden where no script keeps the list. */
export function Star({ id, title }: { id: string; title: string }) {
  return (
    <button class="star" type="button" data-watch={id} aria-pressed="false" aria-label={`Watch ${title}`} />
  );
}

/** Hidden where no script can share: the address is in the browser's own bar. */
export function ShareButton() {
  return (
    <button class="share-button" type="button" data-markdown-ignore="">
      Share
    </button>
  );
}

/** The form of the boxes. It stays in view while one is ticked; a script says how many are. */
export function CompareForm() {
  return (
    <form
      id={FORM}
      class="compare-bar"
      action={SITE_PATHS.compare}
      method="get"
      aria-label="Compare raises"
      data-markdown-ignore=""
    >
      <button class="button" type="submit">
        Compare the ticked raises
      </button>
      <p role="status" />
    </form>
  );
}
