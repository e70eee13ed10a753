import { keccak256, toHex, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { PRICING } from "../harness/enums.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import {
  alice,
  baseTerms,
  closeAt,
  day,
  genesis,
  metadata,
  originator,
  owner,
  stranger,
  type Terms,
  usd,
} from "./world.ts";

const world = setUpWorld();

const create = (changes: Partial<Terms>, by = owner) =>
  world().act(by, "createListing", [
    world().address(originator),
    "RB00001",
    { ...baseTerms, ...changes },
    metadata,
  ]);

const update = (changes: Partial<Terms>, at?: bigint, hash = metadata) =>
  world().act(owner, "updateTerms", [1n, { ...baseTerms, ...changes }, hash], at);

describe("creating a listing", () => {
  it("numbers from 1 and announces the terms and a token of its own", async () => {
    const [first] = await create({});
    const [second] = await create({});
    if (first?.eventName !== "ListingCreated" || second?.eventName !== "ListingCreated")
      throw new Error("no listing");
    expect(first.args).toMatchObject({
      onchainId: 1n,
      originator: world().address(originator),
      refnum: "RB00001",
      terms: baseTerms,
      metadataHash: metadata,
    });
    expect(second.args.onchainId).toBe(2n);
    expect(second.args.token).not.toBe(first.args.token);
  });

  it.each<[string, Partial<Terms>, string, unknown[]]>([
    ["no target", { targetAmount: 0n, minRaise: 0n }, "ZeroTarget", []],
    ["a target beyond 2^128", { targetAmount: 2n ** 128n }, "TargetTooLarge", [2n ** 128n]],
    ["no tenor", { tenorDays: 0 }, "ZeroTenor", []],
    ["a minimum above the target", { minRaise: usd(1001) }, "MinRaiseAboveTarget", [usd(1001), usd(1000)]],
    ["a close at the go-live", { goLiveAt: closeAt }, "ClosesBeforeGoLive", [closeAt, closeAt]],
    ["a close in the past", { goLiveAt: 0n, closeAt: genesis }, "ClosesInThePast", [genesis]],
    [
      "an auction without a ceiling",
      { pricingMode: PRICING.auction, couponRateBps: 0 },
      "ZeroRateCeiling",
      [],
    ],
  ])("refuses %s", async (_, changes, error, args) => {
    await refuses(create(changes), error, args);
  });

  it("refuses an empty refnum, no originator, and anybody but the owner", async () => {
    const { act, address } = world();
    await refuses(act(owner, "createListing", [address(originator), "", baseTerms, metadata]), "EmptyRefnum");
    await refuses(act(owner, "createListing", [zeroAddress, "RB00001", baseTerms, metadata]), "ZeroAddress");
    await refuses(create({}, stranger), "OwnableUnauthorizedAccount");
  });

  it("takes a minimum equal to the target and no closing time", async () => {
    await create({ minRaise: usd(1000), closeAt: 0n });
  });
});

describe("changing terms", () => {
  it("changes anything before the first subscription", async () => {
    await world().list();
    const terms = {
      ...baseTerms,
      targetAmount: usd(2000),
      pricingMode: PRICING.auction,
      closeAt: closeAt - day,
    };
    const hash = keccak256(toHex("rewritten"));
    const [event] = await update(terms, undefined, hash);
    expect(event).toMatchObject({ eventName: "ListingTermsUpdated", args: { terms, metadataHash: hash } });
    expect(await world().read("termsOf")).toEqual(terms);
  });

  it("checks new terms as it does at creation", async () => {
    await world().list();
    await refuses(update({ minRaise: usd(1001) }), "MinRaiseAboveTarget");
  });

  it.each<[string, Partial<Terms>]>([
    ["target", { targetAmount: usd(1001) }],
    ["minimum", { minRaise: usd(399) }],
    ["coupon", { couponRateBps: 1451 }],
    ["reserve", { insuranceBps: 999 }],
    ["tenor", { tenorDays: 181 }],
    ["pricing", { pricingMode: PRICING.auction }],
    ["go-live", { goLiveAt: genesis + 1n }],
  ])("keeps the %s once somebody has subscribed", async (_, changes) => {
    await world().list();
    await world().subscribe(alice, usd(1));
    await refuses(update({ ...changes, closeAt: closeAt + day }), "TermsFixed", [1n]);
  });

  it("keeps them after the only subscriber has withdrawn", async () => {
    await world().list();
    await world().subscribe(alice, usd(1));
    await world().act(alice, "withdraw", [1n, usd(1)]);
    await refuses(update({ targetAmount: usd(1001) }), "TermsFixed");
  });

  it("keeps the description that backers agreed to", async () => {
    await world().list();
    await world().subscribe(alice, usd(1));
    await refuses(update({ closeAt: closeAt + day }, undefined, keccak256(toHex("rewritten"))), "TermsFixed");
  });

  it("only postpones the close after the first subscription", async () => {
    await world().list();
    await world().subscribe(alice, usd(1));
    await update({ closeAt: closeAt + day });
    await refuses(update({ closeAt: closeAt + day }), "CloseAtNotLater", [closeAt + day, closeAt + day]);
    await refuses(update({ closeAt }), "CloseAtNotLater");
    await refuses(update({ closeAt: 0n }), "CloseAtNotLater");
    await world().subscribe(alice, usd(1), 0, closeAt);
  });

  it("has no later close where there was none", async () => {
    await world().list({ closeAt: 0n });
    await world().subscribe(alice, usd(1));
    await refuses(update({ closeAt }), "CloseAtNotLater", [0n, closeAt]);
  });

  it("postpones until the last second before the close, and not at it", async () => {
    await world().list();
    await world().subscribe(alice, usd(1));
    await update({ closeAt: closeAt + 1n }, closeAt - 1n);
    await refuses(update({ closeAt: closeAt + day }, closeAt + 1n), "RaiseOver", [1n]);
  });

  it("refuses at the close even where nobody subscribed", async () => {
    await world().list();
    await refuses(update({ closeAt: closeAt + day }, closeAt), "RaiseOver");
  });

  it("refuses after ListingClosed, after a cancel, and by anybody but the owner", async () => {
    await world().list();
    const args = [1n, baseTerms, metadata];
    await refuses(world().act(stranger, "updateTerms", args), "OwnableUnauthorizedAccount");
    await world().act(owner, "close", [1n]);
    await refuses(update({}), "RaiseOver");
    await world().list();
    await world().act(owner, "cancel", [2n, metadata]);
    await refuses(world().act(owner, "updateTerms", [2n, baseTerms, metadata]), "RaiseOver", [2n]);
  });

  it("knows no listing that was not created", async () => {
    await refuses(update({}), "UnknownListing", [1n]);
  });
});
