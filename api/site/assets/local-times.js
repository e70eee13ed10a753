/*
 * Times in the reader's own zone: below each time that was sent in UTC, in a line for which the stylesheet keeps room (texts.css), and
 * whole in its tooltip. The text of the page stays as it was sent, so that the refresh replaces only what has changed.
 */
/** As the service writes times. @param {Intl.DateTimeFormatOptions} options */
const timeFormat = (options) => new Intl.DateTimeFormat("en-GB", options);
const DAY = timeFormat({ day: "numeric", month: "short" });
const UTC_DAY = timeFormat({ day: "numeric", month: "short", timeZone: "UTC" });
const CLOCK = timeFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
/** Such as "Europe/Zurich". */
const ZONE = WHOLE.resolvedOptions().timeZone;

sayLocally(document.body);
new MutationObserver((changes) => {
  for (const { target } of changes) if (target instanceof Element) sayLocally(target);
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ["datetime"] });

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, ({ target }) => {
    const time = target instanceof Element ? target.closest("time[data-local]") : null;
    const date = time && dateOf(time);
    if (date) time.setAttribute("title", `${WHOLE.format(date)}, your time (${ZONE})`);
  });
}

/** @param {Element} within */
function sayLocally(within) {
  const times = within.matches("time") ? [within] : within.querySelectorAll("time[datetime*='T']");
  for (const time of times) {
    const date = dateOf(time);
    const local = date && localTime(date, time.classList.contains("clock"));
    if (local && time.getAttribute("data-local") !== local) time.setAttribute("data-local", local);
  }
}

/** @param {Element} time */
function dateOf(time) {
  const date = new Date(time.getAttribute("datetime") ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * With the day where it is another one than in UTC. Also where the reader's time is UTC: an empty line would look like a mistake.
 * @param {Date} date
 * @param {boolean} isShort next to a clock time
 */
function localTime(date, isShort) {
  const day = DAY.format(date);
  const clock = CLOCK.format(date);
  const isOtherDay = day !== UTC_DAY.format(date);
  if (isShort) return isOtherDay ? `${clock}, ${day}` : `${clock} yours`;
  return `${isOtherDay ? `${day}, ` : ""}${clock} your time`;
}
