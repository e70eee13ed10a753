/** @module The registry: the document itself, and whether it says the same as the chain. */
import { contradictions } from "../../api/market/entries.ts";
import { metadataHash } from "../../api/market/metadata.ts";
import { type CheckedDocument, checkDocument, whereIs } from "../../api/registry/document.ts";
import { RegistryError } from "../../api/registry/error.ts";
import { pairKey, type Registry, type RegistryListing } from "../../api/registry/schema.ts";
import { nodeName, RpcError } from "../../chain/call.ts";
import { InconsistentChainError } from "../../chain/logs.ts";
import type { Settings } from "../../config/environment.ts";
import { quote } from "../../config/format/untrusted-text.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { closesByTimeAlone, type Lifecycle, lacksTerms } from "../../src/fold/derived.ts";
import { REFNUM } from "../../src/fold/lifecycle.ts";
import { requireLaterThanStored, warnOfUnfollowed } from "../daemon/check-files.ts";
import { lastGoodOf } from "../daemon/registry-copy.ts";
import { type Chain, type LogSource, logSourceOf, TAKE_OUT } from "./endpoints.ts";
import { existingByViews, type OnchainListings, readListings, UNANNOUNCED } from "./listings.ts";
import { createNotes, type Notes } from "./notes.ts";

/** Findings of one kind that are named one by one. */
const MOST_NAMED = 10;

const FIX = "Fix it there; raisebook registry check looks at it again.";
const SIGN_AGAIN = "Publish the newest document, or sign this one again with a higher revision.";
/** Another check tells why the last good copy cannot be read. */
const SILENT = { debug() {}, warn() {} };
const PICTURES = "Put a picture there that can be used, or take its name out: a pattern stands in.";

/** @param blamed contracts with a problem that explains why their listings are not found */
export async function examineRegistry(
  settings: Settings,
  { nodes, costs }: Chain,
  blamed: ReadonlySet<string>,
): Promise<Notes> {
  const notes = createNotes("registry");
  const checked = await checkDocument(settings.registry, settings);
  const { registry } = checked;
  for (const finding of checked.problems)
    notes.problem("REGISTRY", `${whereIs(checked, finding)}: ${finding.text}`, FIX);
  for (const finding of checked.warnings)
    notes.warn("REGISTRY", `${whereIs(checked, finding)}: ${finding.text}`, PICTURES);
  const [node] = nodes;
  if (registry === null) return notes;
  await requireLaterThanStored(registry, settings, lastGoodOf(settings, SILENT)).catch((error) => {
    if (!(error instanceof RegistryError)) throw error;
    notes.problem("REGISTRY", `${checked.name}: ${error.summary}`, SIGN_AGAIN);
  });
  notes.take({ warnings: await warnOfUnfollowed(registry, settings, node ?? null) });
  const { originators, listings } = registry;
  const named = { originators: originators.length, listings: listings.length };
  if (node === undefined) {
    notes.fact(checked.name, named);
    return notes;
  }
  const source = logSourceOf(node, costs);
  try {
    const onchain = await readListings(source, settings);
    const unnamed = [...onchain.listings.keys()].filter((key) => !registry.listingByPair.has(key)).length;
    const { listings: found, upTo } = onchain;
    notes.fact(checked.name, { ...named, onChain: found.size, onChainWithoutEntry: unnamed, upTo });
    // A listing that no contract announces exists because the registry names it.
    const { lifecycle } = contractsOf(settings);
    if (!lifecycle.derivesCreation)
      await reportMissing(checked, { registry, onchain, source, blamed, settings }, notes);
    compareEntries(checked, { registry, onchain, lifecycle }, notes);
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof InconsistentChainError)) throw error;
    const remedy = error instanceof RpcError ? error.remedy : TAKE_OUT;
    notes.warn("REGISTRY", `could not be compared with the chain: the node ${error.message}`, remedy);
  }
  return notes;
}

type Compared = { registry: Registry; onchain: OnchainListings };
type Missing = { source: LogSource; blamed: ReadonlySet<string>; settings: Settings };

/** Entries whose listing was not found: the chain does not have it, or the endpoint does not give its logs. */
async function reportMissing(
  checked: CheckedDocument,
  { registry, onchain, source, blamed, settings }: Compared & Missing,
  notes: Notes,
): Promise<void> {
  const places = new Map<RegistryListing, number>();
  for (const [index, entry] of enumerate(registry.listings)) {
    const { escrowAddress } = entry;
    const isMissing = onchain.escrows.has(escrowAddress) && !onchain.listings.has(pairKey(entry));
    if (isMissing && !blamed.has(escrowAddress)) places.set(entry, index);
  }
  if (places.size === 0) return;
  const unknown = [...places.keys()];
  const isAll = onchain.upTo >= source.head;
  const existing = await existingByViews(source, unknown, settings).catch(
    () => new Map<RegistryListing, boolean>(),
  );
  const hidden = isAll ? unknown.find((entry) => existing.get(entry) === true) : undefined;
  if (hidden !== undefined) {
    const { escrowAddress, onchainId } = hidden;
    const what = `at ${nodeName(source.url)} does not give all logs: ${escrowAddress} has listing ${onchainId}, but there is no log of its ListingCreated`;
    const remedy =
      "Name an endpoint that keeps all logs (an archive node). If this one does, start the escrow at the block of its deployment.";
    notes.problem("RPC_URLS", what, remedy);
  }
  const report = limited(notes, checked);
  for (const [entry, index] of places) {
    if (existing.get(entry) ?? !isAll) continue;
    const { publicId, escrowAddress, onchainId } = entry;
    const what = `${publicId} is listing ${onchainId} of ${escrowAddress}, which the chain does not have: it is never shown`;
    const remedy = "Correct the escrow and the id in it, or wait for the listing to be created.";
    report({ index, field: "onchainId" }, what, remedy);
  }
}

/** Compares an entry with its listing on the chain. */
export function compareEntries(
  checked: CheckedDocument,
  { registry, onchain, lifecycle }: Compared & { lifecycle: Lifecycle },
  notes: Notes,
): void {
  const otherText = limited(notes, checked);
  const otherOriginator = limited(notes, checked);
  const badRefnum = limited(notes, checked);
  const sameRefnum = limited(notes, checked);
  const otherFacts = limited(notes, checked);
  const noTerms = limited(notes, checked);
  const noRefnum = limited(notes, checked);
  const noClose = limited(notes, checked);
  const byRefnum = new Map<string, string>();
  for (const [index, entry] of enumerate(registry.listings)) {
    const { derivesCreation } = lifecycle;
    const isNamed = derivesCreation && onchain.escrows.has(entry.escrowAddress);
    const listing = onchain.listings.get(pairKey(entry)) ?? (isNamed ? UNANNOUNCED : undefined);
    if (listing === undefined) continue;
    const { publicId } = entry;
    const at = (field: string) => ({ index, field });
    const hash = metadataHash(entry);
    if (listing.metadataHash !== null && hash !== listing.metadataHash) {
      const what = `title and description of ${publicId} are not those that the chain commits to (${listing.metadataHash}): it shows as unverified`;
      otherText(
        at("title"),
        what,
        `Restore the text, or have the terms updated on the chain with its hash, ${hash}.`,
      );
    }
    const addresses: readonly string[] = registry.originatorByPublicId.get(entry.originator)?.addresses ?? [];
    if (listing.originator !== null && !addresses.includes(listing.originator)) {
      const what = `${publicId} was created for ${listing.originator}, which is no address of ${entry.originator}: it shows as unverified`;
      otherOriginator(
        at("originator"),
        what,
        `Add the address to the originator's, or name the right originator.`,
      );
    }
    const isWhole = !lacksTerms(listing.terms);
    const { terms: given, refnum, token } = listing;
    const differing = contradictions({ ...given, refnum, token }, entry);
    if (differing.length > 0) {
      const what = `${publicId} has ${differing.join(", ")} other than on the chain, which counts`;
      const isOfTerms = differing.some((field) => field.startsWith("terms."));
      const remedy =
        isOfTerms && !isWhole
          ? "Repeat the chain's value: the contract does not give all terms, and the entry's have to be whole."
          : "Correct it, or take it out: what the contract gives need not be repeated.";
      otherFacts(at(differing[0] ?? "terms"), what, remedy);
    }
    if (entry.terms === undefined && !isWhole) {
      const what = `${publicId} has no terms, and its contract does not give them all: it is not shown`;
      noTerms(at("publicId"), what, "Add terms to the entry: raisebook registry template prints which.");
    }
    const closing = isWhole || listing.terms.closeAt !== undefined ? listing.terms : entry.terms;
    if (closesByTimeAlone(lifecycle) && closing !== undefined && closing.closeAt == null) {
      const what = `${publicId} has no closing time, and no event closes a raise: it stays open for good`;
      const remedy =
        closing === entry.terms
          ? "Add closeAt to the terms of the entry."
          : "Have the contracts' module give closeAt, or map an event to listing_closed.";
      noClose(at("publicId"), what, remedy);
    }
    if (listing.refnum === null && entry.refnum === undefined) {
      const what = `${publicId} has no reference number, and its contract does not give one: it is not shown`;
      noRefnum(at("publicId"), what, "Add refnum to the entry.");
    }
    if (listing.refnum === null) continue;
    if (!REFNUM.test(listing.refnum)) {
      const what = `${publicId} has the refnum ${quote(listing.refnum)} on the chain, which is not letters and 5 digits`;
      badRefnum(at("onchainId"), what, "It is served as it is: create the listing again to get another.");
    }
    const other = byRefnum.get(listing.refnum);
    if (other === undefined) byRefnum.set(listing.refnum, publicId);
    else {
      const what = `${publicId} has the refnum ${quote(listing.refnum)} of ${other} too: the refnum leads to the later one alone`;
      sameRefnum(at("onchainId"), what, "Take out the entry that is not meant.");
    }
  }
}

function* enumerate<Entry>(entries: Iterable<Entry>): Generator<[number, Entry]> {
  let index = 0;
  for (const entry of entries) yield [index++, entry];
}

type Place = { readonly index: number; readonly field: string };

/** Names the first ones, and then says that there are more. */
function limited(
  notes: Notes,
  checked: CheckedDocument,
): (place: Place, what: string, remedy: string) => void {
  let count = 0;
  return ({ index, field }, what, remedy) => {
    count += 1;
    if (count <= MOST_NAMED) {
      const at = whereIs(checked, checked.findingOf(`listings[${index}].${field}: `));
      notes.warn("REGISTRY", `${at}: ${what}`, remedy);
    } else if (count === MOST_NAMED + 1) notes.warn("REGISTRY", "has more of the same kind", remedy);
  };
}
