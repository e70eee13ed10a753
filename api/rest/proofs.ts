/** @module Proofs of events and of a listing's totals, for readers who do not trust the service. */
import { createRoute, z } from "@hono/zod-openapi";
import { sameCompleteness } from "../../config/completeness.ts";
import { isoTime } from "../../config/format/time.ts";
import { quote } from "../../config/format/untrusted-text.ts";
import { comparePositions, PLACE_PATTERN, placeInBlock, toPosition } from "../../src/fold/event-id.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { completenessOf } from "../health/completeness.ts";
import { problemAnswer } from "../http/described-answers.ts";
import { jsonBody } from "../http/etagged-body.ts";
import { ProblemError, pageOrProblem } from "../http/problem.ts";
import { answer, type Validity } from "../http/respond.ts";
import { toEvent } from "../ledger/event.ts";
import { inStep } from "../ledger/in-step.ts";
import { createOnce } from "../ledger/once.ts";
import { visibleIn } from "../ledger/pages.ts";
import { findListing } from "../market/market.ts";
import type { Listing } from "../market/schema.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import type { NoProof } from "../proof/blocks.ts";
import type { Inclusion, ProvenTotal, ProvenTotals } from "../proof/proofs.ts";
import { markDerived, TOTAL_NAMES } from "../proof/totals.ts";
import { pairKey, pairOf } from "../registry/schema.ts";
import { dataAnswers } from "./answers.ts";
import type { RestDependencies } from "./dependencies.ts";
import { listingId, listingOf } from "./listings.ts";
import { EVENT_ID_FORM, eventProofSchema, listingProofSchema } from "./proof-schema.ts";
import type { RestApi } from "./route.ts";
import { indexed } from "./view.ts";

/** Seconds until a pending event is final on the deployment's chain while its validators vote. */
const UNTIL_FINAL = 2;
const NO_PARAMETERS = z.object({});
const NO_PROOF = {
  503: problemAnswer(
    "Nothing is indexed yet, the backfill is not over, or the database or the chain's node does not give what the proof needs; see `Retry-After`.",
    "RetryAfter",
  ),
};

export const getEventProof = createRoute({
  method: "get",
  path: "/events/{event}/proof",
  operationId: "getEventProof",
  summary: "The proof of an event",
  description:
    "With the block's hash alone, from any node, anyone can check that the contract emitted this event: the header, the path to the receipt under its `receiptsRoot`, and the log in it. For final events only.",
  tags: ["Proofs"],
  request: {
    params: z.object({
      event: z.string().openapi({
        param: { name: "event", in: "path" },
        description: `The event: ${EVENT_ID_FORM}`,
        example: "120-3",
      }),
    }),
    query: NO_PARAMETERS,
  },
  responses: {
    ...dataAnswers("The proof.", eventProofSchema),
    404: problemAnswer("No such event of a visible listing."),
    409: problemAnswer("The event is not final yet; see `Retry-After`.", "RetryAfter"),
    ...NO_PROOF,
  },
});

export const getListingProof = createRoute({
  method: "get",
  path: "/listings/{id}/proof",
  operationId: "getListingProof",
  summary: "The proof of a listing's totals",
  description:
    "For each total the last final event that carries it, with its proof, and what later events add and take away; without such an event, all events that add to it. `value` is the source's field and the sum of `sumOf`.",
  tags: ["Proofs"],
  request: { params: listingId, query: NO_PARAMETERS },
  responses: {
    ...dataAnswers("The proof.", listingProofSchema),
    404: problemAnswer("No such visible listing."),
    ...NO_PROOF,
  },
});

export function addProofs(api: RestApi, deps: RestDependencies): void {
  const { updater, proofs, exposeAccounts } = deps;
  const once = createOnce<ProvenTotals>();
  const eventOf = (row: LedgerRow, { publicId, refnum }: Pick<Listing, "publicId" | "refnum">) =>
    toEvent(row, { publicId, refnum, finality: "final", exposeAccounts });
  const head = () => updater.current()?.market.head ?? null;

  api.openapi(getEventProof, async (c) => {
    const { row, listing, snapshot } = await findEvent(deps, c.req.valid("param").event);
    const inclusion = proofOrProblem(await proofs.ofEvent(row));
    const body = jsonBody({ event: eventOf(row, listing), ...toProof(inclusion) });
    const pair = pairKey(row);
    const { reverts } = snapshot;
    const { publicId, refnum } = listing;
    const isCurrent = () => {
      const current = updater.current();
      const now = current?.market.listingByPair.get(pair);
      // Blocks final by depth can still be reverted.
      return current?.reverts === reverts && now?.publicId === publicId && now.refnum === refnum;
    };
    return answer(c, body, snapshot.market.head, { lasting: { isCurrent, head } });
  });

  api.openapi(getListingProof, async (c) => {
    const { id } = c.req.valid("param");
    const snapshot = indexed(updater.current());
    const { market, completeness } = snapshot;
    const listing = listingOf(market, { id });
    const { publicId, escrowAddress, onchainId } = listing;
    const { asOf, stored, ...proven } = await once(market, publicId, async () =>
      proofOrProblem(pageOrProblem(await proofs.ofListing(pairOf(listing)))),
    );
    const totals = markDerived(proven.totals, { stored, served: listing, head: market.head.number });
    const shown = TOTAL_NAMES.map((name) => [name, toTotal(totals[name], (row) => eventOf(row, listing))]);
    const body = jsonBody({
      ...{ publicId, escrowAddress, onchainId },
      asOf: { blockNumber: asOf.number.toString(), hash: asOf.hash },
      completeness: completenessOf(completeness),
      totals: Object.fromEntries(shown),
    });
    const isCurrent = whileProven(updater, snapshot, { id, listing, asOf: asOf.number });
    return answer(c, body, market.head, { lasting: { isCurrent, head } });
  });
}

type ProvenListing = { id: string; listing: Pick<Listing, "publicId" | "refnum">; asOf: bigint };

/** Whether a listing has the same proof as in this snapshot. */
function whileProven(
  updater: MarketSource,
  { reverts, completeness }: Snapshot,
  { id, listing: { publicId, refnum }, asOf }: ProvenListing,
): Validity["isCurrent"] {
  return () => {
    const now = updater.current();
    if (now?.finalized.number !== asOf || now.reverts !== reverts) return false;
    if (!sameCompleteness(now.completeness, completeness)) return false;
    const same = findListing(now.market, id);
    return same?.publicId === publicId && same.refnum === refnum;
  };
}

type Found = { row: LedgerRow; listing: Listing; snapshot: Snapshot };

const EVENT_NAME = new RegExp(`^(\\d{1,20})-${PLACE_PATTERN}$`);

/** The final event of a visible listing at this place. @throws ProblemError when there is none */
async function findEvent(deps: Pick<RestDependencies, "updater" | "ledger">, id: string): Promise<Found> {
  const [, blockText = "", indexText = "", partText] = EVENT_NAME.exec(id) ?? [];
  const block = BigInt(blockText);
  const position = toPosition(blockText, indexText, partText);
  return inStep(deps, async (current, ledger) => {
    const snapshot = indexed(current);
    const { market } = snapshot;
    const page =
      blockText === ""
        ? null
        : pageOrProblem(
            await ledger.ofListings(visibleIn(market), {
              kinds: null,
              since: { block },
              until: { block },
              before: { ...position, part: (position.part ?? 0) + 1 },
              limit: 1,
            }),
          );
    const row = page?.rows.find((one) => comparePositions(one, position) === 0);
    const listing = row && market.listingByPair.get(pairKey(row));
    if (page === null || row === undefined || listing === undefined) {
      const detail = `No event of a visible listing is at ${quote(id)}: an event is named by block number and log index, such as "120-3".`;
      throw new ProblemError({ code: "not_found", detail });
    }
    if (row.blockNumber > page.progress.finalized.number) {
      const detail = `The event is in block ${block}; the last final block is ${page.progress.finalized.number}.`;
      throw new ProblemError({ code: "not_final", detail, headers: { "Retry-After": `${UNTIL_FINAL}` } });
    }
    return { row, listing, snapshot };
  });
}

/** @throws ProblemError when there is no proof */
function proofOrProblem<Proof extends object>(proof: Proof | NoProof): Proof {
  if (!("reason" in proof)) return proof;
  const { reason: code, detail, retryAfter } = proof as NoProof;
  throw new ProblemError({ code, detail, headers: { "Retry-After": `${retryAfter}` } });
}

function toProof({ block, ...proof }: Inclusion) {
  const { number, hash, timestamp } = block;
  return { block: { number: number.toString(), hash, timestamp: isoTime(timestamp) }, ...proof };
}

function toTotal(
  { value, source, field, inclusion, parts, unexplained, view }: ProvenTotal,
  eventOf: (row: LedgerRow) => object,
) {
  const nameOf = (row: LedgerRow) => `${row.blockNumber}-${placeInBlock(row)}`;
  return {
    value: value.toString(),
    source: source && nameOf(source),
    field,
    proof: source && inclusion && { event: eventOf(source), ...toProof(inclusion) },
    sumOf:
      parts?.map(({ row, field, sign, amount }) => ({
        source: nameOf(row),
        field,
        sign,
        amount: amount.toString(),
      })) ?? null,
    ...{ unexplained, view },
  };
}
