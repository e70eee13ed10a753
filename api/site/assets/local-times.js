/*
 * Times in the reader's own zone: the tooltip of a time says it, while the text stays in UTC as it was sent. The refresh
 * only replaces what the service sent, so the tooltip is made when a reader points at a time or a page is loaded.
 */
const LOCAL_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
/** Such as "Europe/Zurich". */
const ZONE = LOCAL_TIME.resolvedOptions().timeZone;

if (new Date().getTimezoneOffset() !== 0 || ZONE !== "UTC") {
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, ({ target }) => {
      if (target instanceof Element) sayLocally(target.closest("time[datetime]"));
    });
  }
}

/** @param {Element | null} time */
function sayLocally(time) {
  const date = new Date(time?.getAttribute("datetime") ?? "");
  if (time === null || Number.isNaN(date.getTime())) return;
  time.setAttribute("title", `${LOCAL_TIME.format(date)}, your time (${ZONE})`);
}
