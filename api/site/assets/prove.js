/**
 * Asks for a node, has the totals of a raise proven against it, and shows the verdict. Loaded on demand. The node's address is
 * handed to the worker alone, and is kept nowhere.
 *
 * @typedef {import("./prove-worker.js").Report} Report
 * @typedef {import("./prove-worker.js").Verdict} Verdict
 */

/** Replaces the button by the form. @param {HTMLElement} place which raise it is stands in its data */
export function openProver(place) {
  const { listing = "", chain, node: publicNode = "" } = place.dataset;
  const node = make("input", {
    id: "proverNode",
    type: "url",
    autocomplete: "off",
    spellcheck: false,
    placeholder: "https://a-node-of-yours.example",
    value: publicNode,
  });
  node.setAttribute("aria-describedby", "proverHint");
  const complete = make("input", { id: "proverComplete", type: "checkbox" });
  const form = make(
    "form",
    { noValidate: true },
    make(
      "p",
      { className: "field" },
      make("label", { htmlFor: node.id }, publicNode === "" ? "Your node (JSON-RPC)" : "Node (JSON-RPC)"),
      node,
    ),
    make(
      "p",
      { id: "proverHint", className: "prover-hint" },
      `${publicNode === "" ? "" : "This is a public node that the operator of this site chose. With your own you rely on nobody. "}Your browser asks this node for its chain ID and block hashes. We never see its address or store it.`,
    ),
    make(
      "p",
      { className: "prover-choice" },
      complete,
      make(
        "label",
        { htmlFor: complete.id },
        "Also compare with the contract's own totals, to catch any missing event",
      ),
    ),
    make("button", { className: "button button--secondary", type: "submit" }, "Prove it"),
  );
  const status = make("p", { className: "prover-status", role: "status" });
  const progress = make("progress", { hidden: true, ariaLabel: "Proofs checked" });
  const details = make("div", {});
  place.replaceChildren(form, status, progress, details);
  node.focus();

  /** @type {Worker | null} */
  let worker = null;
  /** @param {string} sentence @param {"" | "busy" | "good" | "bad"} tone */
  const say = (sentence, tone) => {
    status.className = `prover-status prover-status--${tone}`;
    status.textContent = sentence;
  };
  /** @param {Verdict} verdict */
  const end = (verdict) => {
    worker?.terminate();
    worker = null;
    progress.hidden = true;
    say(shortOf(verdict), verdict.proven ? "good" : "bad");
    details.replaceChildren(...detailsOf(verdict));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    worker?.terminate();
    details.replaceChildren();
    progress.hidden = true;
    const problem = problemOf(node.value.trim());
    node.ariaInvalid = problem === null ? null : "true";
    if (problem !== null) {
      say(problem, "bad");
      node.focus();
      return;
    }
    say("Checking …", "busy");
    worker = new Worker(new URL("./prove-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("error", () =>
      end(refusal("Your browser cannot run the proof tool. Use the command above.")),
    );
    worker.addEventListener("message", (/** @type {MessageEvent<Report>} */ { data }) => {
      if (data.kind === "verdict") return end(data.verdict);
      if (data.kind === "waiting")
        return say(`The service is busy. Trying again in ${data.seconds} s.`, "busy");
      say("Checking …", "busy");
      Object.assign(progress, { max: data.of, value: data.asked, hidden: false });
    });
    const rpc = node.value.trim();
    worker.postMessage({
      ...{ listing, chainId: Number(chain), rpc, complete: complete.checked },
      isPublicNode: rpc === publicNode,
    });
  });
}

/** Why a page cannot ask a node at this address; null where it can. @param {string} address */
function problemOf(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isHere = url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
  if (url?.protocol !== "https:" && !isHere)
    return "Enter an https address, or http on 127.0.0.1 or localhost. For any other node use the command above.";
  if (url?.username || url?.password)
    return "A page cannot use a node with a name and a password in its address. Use the command above.";
  return null;
}

/** @param {string} sentence @returns {Verdict} */
function refusal(sentence) {
  return { proven: false, sentence, notProven: [], checks: [] };
}

/**
 * The verdict in its own words, with the first only of the checks that fail: all of them are listed below.
 * @param {Verdict} verdict
 */
function shortOf({ sentence, checks }) {
  const [first, ...more] = checks.filter(({ holds }) => !holds);
  if (first === undefined) return sentence;
  const others = more.length === 0 ? "" : ` Of ${checks.length} checks ${more.length + 1} fail.`;
  return `${sentence.slice(0, sentence.indexOf(":"))}: ${first.about}: ${first.detail}.${others}`;
}

/** @param {Verdict} verdict */
function detailsOf({ proven, checks, notProven }) {
  const all = make(
    "details",
    { open: !proven },
    make("summary", {}, `${checks.length} checks`),
    list(checks.map(({ about, holds, detail }) => `${holds ? "✓" : "✕ fails:"} ${about}: ${detail}`)),
  );
  const open = [make("h3", {}, "What this does not prove"), list(notProven)];
  return [...(notProven.length === 0 ? [] : open), ...(checks.length === 0 ? [] : [all])];
}

/** @param {readonly string[]} texts */
function list(texts) {
  return make("ul", {}, ...texts.map((text) => make("li", {}, text)));
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
