/**
 * Proves the totals of a raise by the client's own `verify`, against a node that the visitor names. It is a worker since a worker has a
 * policy of its own: this file alone may ask a node, and no page.
 *
 * @typedef {{ listing: string, chainId: number, rpc: string, complete: boolean, isPublicNode: boolean }} Order
 * @typedef {import("../../../client/dist/verify.js").Verdict} Verdict
 * @typedef {{ sumOf: readonly { source: string }[] | null }} Total
 * @typedef {{ kind: "verdict", verdict: Verdict } | { kind: "waiting", seconds: number } | { kind: "progress", asked: number, of: number }} Report
 */
import { verify } from "../../../client/dist/verify.js";

/** Milliseconds until a node is given up. */
const PATIENCE = 15_000;
/** How often a question is asked that the service puts off, and the longest wait for it or for an answer, in seconds. */
const ATTEMPTS = 6;
const LONGEST_WAIT = 60;
/** The longest text of a node that is shown, in characters. */
const LONGEST_WORDS = 200;

const OF_THIS_PAGE =
  "That this page itself is honest: it comes from the service it is checking. The command above runs on your own machine.";
const OF_PUBLIC_NODE =
  "That the public node tells the truth: the operator of this site chose it. Use your own node for that.";

/** Why there is no proof, in a sentence. */
class NoProof extends Error {}

addEventListener("message", async (/** @type {MessageEvent<Order>} */ { data }) => {
  report({ kind: "verdict", verdict: await verdictOn(data) });
});

/** @param {Report} message */
function report(message) {
  postMessage(message);
}

/** @param {Order} order @returns {Promise<Verdict>} */
async function verdictOn({ listing, chainId, rpc, complete, isPublicNode }) {
  try {
    const trouble = await troubleOf(rpc, chainId);
    if (trouble !== null) throw new NoProof(trouble);
    const proof = await ask(`/v1/listings/${encodeURIComponent(listing)}/proof`);
    const totals = /** @type {Total[]} */ (Object.values(proof.totals));
    const of = totals.reduce((sum, { sumOf }) => sum + new Set(sumOf?.map(({ source }) => source)).size, 0);
    let asked = 0;
    const proofOf = async (/** @type {string} */ event) => {
      const found = await ask(`/v1/events/${encodeURIComponent(event)}/proof`);
      asked += 1;
      report({ kind: "progress", asked, of });
      return found;
    };
    const verdict = await verify(proof, { rpc, complete, proofOf });
    if (!verdict.proven) return verdict;
    const notProven = [...verdict.notProven, ...(isPublicNode ? [OF_PUBLIC_NODE] : []), OF_THIS_PAGE];
    const sentence = isPublicNode
      ? verdict.sentence.replace("Your node", "The public node")
      : verdict.sentence;
    return { ...verdict, sentence, notProven };
  } catch (error) {
    const why = error instanceof NoProof ? error.message : "the service does not answer as it should.";
    return { proven: false, sentence: `Nothing is proven: ${why}`, notProven: [], checks: [] };
  }
}

/** Asks the service, and again when it says so. @param {string} path */
async function ask(path) {
  for (let attempt = 1; ; attempt += 1) {
    const signal = AbortSignal.timeout(1000 * LONGEST_WAIT);
    const response = await fetch(path, { headers: { Accept: "application/json" }, signal });
    const body = await response.json();
    if (response.ok) return body;
    const seconds = Number(response.headers.get("Retry-After"));
    const isPutOff = [429, 503].includes(response.status) && seconds > 0 && attempt < ATTEMPTS;
    if (!isPutOff) throw new NoProof(`the service has no proof. ${body.detail}`);
    const wait = Math.min(seconds, LONGEST_WAIT);
    report({ kind: "waiting", seconds: wait });
    await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
  }
}

/**
 * The fault of a node before it is asked for anything of the proof, in plain words; null for one that is on this chain.
 * @param {string} rpc
 * @param {number} chainId
 */
async function troubleOf(rpc, chainId) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  /** @param {RequestInit} init */
  const post = (init) => fetch(rpc, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE), ...init });
  /** @type {Response} */
  let response;
  try {
    response = await post({ headers: { "Content-Type": "application/json" } });
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError")
      return `your node is silent: it has not answered within ${PATIENCE / 1000} seconds.`;
    // Whether there is an answer shows without reading it.
    const isThere = await post({ mode: "no-cors" }).then(
      () => true,
      () => false,
    );
    return isThere
      ? "your node answers, but not to pages of other sites (CORS): allow this one in its settings, or use the command above."
      : "nobody answers at that address, or your browser does not let a page ask there.";
  }
  const { result, error } = (await response.json().catch(() => null)) ?? {};
  if (typeof error?.message === "string")
    return `your node refuses to answer: ${error.message.slice(0, LONGEST_WORDS)}`;
  if (typeof result !== "string" || !/^0x[0-9a-f]+$/i.test(result))
    return `what answers at that address (HTTP ${response.status}) does not answer as a node does.`;
  if (BigInt(result) === BigInt(chainId)) return null;
  return `your node is on chain ${BigInt(result)}, and this raise on chain ${chainId}: name a node of that chain.`;
}
