/**
 * Lets the pointer and the keyboard read a chart out. The drawing says where each row of the chart's table is
 * (`data-readings`), the table what it says: without a script there is the table. Both are read each time, so that
 * a page that has refreshed itself reads out what it shows.
 */
import { areOurs } from "./change.js";

const page = document.querySelector("main");
if (page !== null) {
  const refreshAll = () => {
    for (const pointer of page.querySelectorAll(".chart-pointer"))
      pointer.dispatchEvent(new Event("refresh"));
  };
  addPointers(page);
  addEventListener("resize", refreshAll);
  new MutationObserver((changes) => {
    if (areOurs(changes)) return;
    addPointers(page);
    refreshAll();
  }).observe(page, { childList: true, characterData: true, subtree: true });
}

/** @param {Element} parent */
function addPointers(parent) {
  for (const frames of parent.querySelectorAll(
    '.chart-frames:has([data-readings]:not([data-readings=""]))',
  )) {
    if (frames.querySelector(".chart-pointer") === null) addPointer(frames);
  }
}

/** @param {Element} frames */
function addPointer(frames) {
  const pointer = box("chart-pointer");
  const line = box("chart-pointer-line");
  const words = box("chart-reading");
  line.hidden = words.hidden = true;
  words.ariaHidden = "true";
  pointer.append(line, words);
  pointer.tabIndex = 0;
  // The value of a slider is announced when it changes, after what is being said.
  pointer.role = "slider";
  pointer.ariaLabel = `${frames.closest("figure")?.ariaLabel ?? "Chart"}, values`;
  let at = Number.POSITIVE_INFINITY;

  const read = () => {
    const readings = readingsOf(frames);
    at = Math.min(Math.max(at, 0), readings.length - 1);
    const reading = readings[at];
    if (reading === undefined) return null;
    pointer.ariaValueMin = "1";
    pointer.ariaValueMax = `${readings.length}`;
    pointer.ariaValueNow = `${at + 1}`;
    pointer.ariaValueText = `${reading.name}: ${reading.values.map((pair) => pair.join(" ")).join(", ")}`;
    return reading;
  };
  const show = () => {
    const reading = read();
    line.hidden = words.hidden = reading === null;
    if (reading === null) return;
    line.style.left = percent(reading.x);
    line.style.top = percent(reading.top);
    line.style.height = percent(reading.height);
    const name = Object.assign(document.createElement("strong"), { textContent: reading.name });
    const spans = reading.values
      .flat()
      .map((textContent) => Object.assign(document.createElement("span"), { textContent }));
    words.replaceChildren(name, ...spans);
    place(words, reading, pointer);
  };
  const hide = () => {
    line.hidden = words.hidden = true;
  };

  /** @param {PointerEvent} event */
  const follow = ({ clientX }) => {
    const { left, width } = pointer.getBoundingClientRect();
    const x = (clientX - left) / width;
    const distances = readingsOf(frames).map((reading) => Math.abs(reading.x - x));
    at = distances.indexOf(Math.min(...distances));
    show();
  };
  pointer.addEventListener("pointermove", follow);
  pointer.addEventListener("pointerdown", follow);
  pointer.addEventListener("pointerleave", () => document.activeElement !== pointer && hide());
  pointer.addEventListener("focus", show);
  pointer.addEventListener("blur", hide);
  pointer.addEventListener("refresh", () => (words.hidden ? read() : show()));
  pointer.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const places = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 10,
      PageUp: at + 10,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    };
    const next = places[event.key];
    if (event.key === "Escape") hide();
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    at = next;
    show();
  });
  read();
  frames.append(pointer);
}

/**
 * Puts the words next to the line where there is room, and above it where there is none below; never outside the chart.
 * @param {HTMLElement} words
 * @param {{x: number, top: number}} reading
 * @param {HTMLElement} pointer
 */
function place(words, { x, top }, { clientWidth, clientHeight }) {
  const gap = 10;
  const { offsetWidth, offsetHeight } = words;
  const at = x * clientWidth;
  const left = x < 0.5 ? at + gap : at - gap - offsetWidth;
  const below = top * clientHeight;
  const isRoom = below + offsetHeight <= clientHeight;
  words.style.left = `${Math.max(0, Math.min(left, clientWidth - offsetWidth))}px`;
  words.style.top = `${isRoom ? below : Math.max(0, below - gap - offsetHeight)}px`;
}

/**
 * The rows of the chart's table from left to right, placed in parts of the drawing that is shown.
 * @param {Element} frames
 */
function readingsOf(frames) {
  const drawing = [...frames.querySelectorAll("svg")].find((one) => one.getBoundingClientRect().width > 0);
  const table = frames.closest("figure")?.querySelector("table");
  if (!drawing || !table) return [];
  const { width, height } = drawing.viewBox.baseVal;
  const [top = 0, bottom = height] = numbersIn(drawing.dataset.span);
  const labels = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent ?? "");
  const rows = [...table.querySelectorAll("tbody tr")];
  const readings = numbersIn(drawing.dataset.readings).flatMap((x, index) => {
    const texts = [...(rows[index]?.children ?? [])].map((cell) => cell.textContent?.trim() ?? "");
    const [name, ...values] = texts;
    if (name === undefined) return [];
    return {
      x: x / width,
      top: top / height,
      height: (bottom - top) / height,
      name,
      values: values.map((value, at) => [labels[at + 1] ?? "", value]),
    };
  });
  return readings.sort((a, b) => a.x - b.x);
}

/** @param {string | undefined} list */
function numbersIn(list) {
  return (list ?? "").split(" ").filter(Boolean).map(Number);
}

/** @param {number} part */
function percent(part) {
  return `${part * 100}%`;
}

/** @param {string} className */
function box(className) {
  return Object.assign(document.createElement("div"), { className });
}
