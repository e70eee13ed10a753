/** @module The move that opens a raise, and its result. */
import { type Address, type PublicClient, parseEventLogs, type TransactionReceipt } from "viem";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { type Listing, lookUp } from "./listing.ts";
import { escrowData, type Move, type Scene } from "./move.ts";
import { type Published, randomPublication } from "./publication.ts";
import type { Random } from "./random.ts";
import { randomTerms, spoiled } from "./terms.ts";

/** @param serial no two raises of a history have the same */
export function creation(
  { random, now }: Scene,
  house: { escrow: Address; owner: Address },
  serial: number,
): Move {
  const publication = randomPublication(random, serial);
  const { issuer, address, metadataHash } = publication;
  const terms = randomTerms(random, now, issuer.huge && random.chance(0.6));
  const proposed = random.chance(0.04) ? spoiled(random, terms, now) : terms;
  const data = escrowData("createListing", [address, randomRefnum(random, serial), proposed, metadataHash]);
  return { name: "createListing", from: house.owner, to: house.escrow, data, publication };
}

/** The raise that a move opened, by the escrow's own event; undefined where it was no creation. */
export async function bornBy(
  move: Move,
  logs: TransactionReceipt["logs"],
  client: PublicClient,
): Promise<{ listing: Listing; published: Published } | undefined> {
  const [created] = parseEventLogs({ abi: listingEscrowAbi, eventName: "ListingCreated", logs });
  if (!created || !move.publication) return undefined;
  const { onchainId: id, token, originator } = created.args;
  const { issuer, metadataHash } = move.publication;
  const house = { escrow: move.to, owner: move.from, habit: issuer.habit, holders: new Set<Address>() };
  return {
    listing: { ...house, id, token, originator, metadataHash, ...(await lookUp(client, move.to, id)) },
    published: { ...move.publication, escrow: move.to, id },
  };
}

/** Rarely one that is not letters and five digits, which is served as it is. */
function randomRefnum(random: Random, serial: number): string {
  if (random.chance(0.03)) return random.one(["RB-1", "rb", "RB123456", `00${serial}`]);
  return `${random.one(["RB", "RB", "RB", "OLDNAME"])}${String(serial).padStart(5, "0")}`;
}
