/** @module Faults of the registry, of what its pages link to, and of the data directory. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { lockDataDirectory } from "../../../operate/daemon/data-lock.ts";
import { freePort } from "../free-port.ts";
import { serve } from "../serve.ts";
import type { Fault, Seeded } from "./fault.ts";
import { NOWHERE, type RegistryDraft, type SetUp } from "./set-up.ts";

/** Another document than the healthy one. */
const registry =
  (name: string, change: (document: RegistryDraft, setUp: SetUp) => unknown) =>
  async (setUp: SetUp): Promise<Seeded> => {
    const document = structuredClone(setUp.registry);
    change(document, setUp);
    return { env: { REGISTRY: await setUp.writeRegistry(`${name}.json`, document) } };
  };

/** The listings of the contract that says what it is told to. */
const rogueListings =
  (ids: readonly number[]) =>
  async (setUp: SetUp): Promise<Seeded> => {
    const { rogue, env } = setUp;
    const seeded = await registry(`rogue-${ids.join("-")}`, ({ listings }) => {
      for (const id of ids)
        listings.push({
          ...{ publicId: `lst_rogue_${id}`, originator: "org_one", escrowAddress: rogue.address },
          ...{ onchainId: `${id}`, title: "Rogue", description: "A raise." },
        });
    })(setUp);
    return { env: { ...seeded.env, ESCROWS: `${env.ESCROWS},${rogue.address}@${rogue.blockNumber}` } };
  };

/** Events of the escrow that a module can have without a word of what they mean. */
const SILENT = [
  ...listingEscrowAbi.filter((item) => item.type === "event" && item.name === "ListingCreated"),
  "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
];

export const REGISTRY_FAULTS: readonly Fault[] = [
  {
    name: "a document with a mistake",
    seed: registry("mistake", ({ listings }) => {
      Object.assign(listings[1] ?? {}, { onchainId: "02" });
    }),
    finds: [["problem", "REGISTRY", /mistake\.json:\d+:\d+: listings\[1\]\.onchainId/, /Fix it there/]],
  },
  {
    name: "no document",
    seed: { REGISTRY: "nowhere.json" },
    finds: [["problem", "REGISTRY", /nowhere\.json: the registry file does not exist/, /Fix it there/]],
  },
  {
    name: "a listing that the chain does not have",
    seed: registry("missing", ({ listings }) => {
      Object.assign(listings[1] ?? {}, { onchainId: "7" });
    }),
    finds: [["warning", "REGISTRY", /missing\.json:\d+:\d+: lst_2 is listing 7 of/, /Correct the escrow/]],
  },
  {
    name: "another text than the chain commits to",
    seed: registry("text", ({ listings }) => {
      Object.assign(listings[0] ?? {}, { title: "Cold storage" });
    }),
    finds: [["warning", "REGISTRY", /of lst_1 are not those that the chain commits to/, /Restore the text/]],
  },
  {
    name: "an originator without the address that the chain has",
    seed: registry("originator", ({ originators }) => {
      Object.assign(originators[0] ?? {}, { addresses: [NOWHERE] });
    }),
    finds: [
      [
        "warning",
        "REGISTRY",
        /lst_1 was created for 0x0+a1, which is no address of org_one/,
        /Add the address/,
      ],
      ["warning", "REGISTRY", /lst_2 was created for 0x0+a1/, /Add the address/],
    ],
  },
  {
    name: "a refnum that is none",
    seed: rogueListings([2]),
    finds: [["warning", "REGISTRY", /lst_rogue_2 has the refnum "no refnum"/, /create the listing again/]],
  },
  {
    name: "two listings of one refnum",
    seed: rogueListings([1, 3]),
    finds: [
      ["warning", "REGISTRY", /lst_rogue_1 has the refnum "RB00001" of lst_1 too/, /Take out the entry/],
    ],
  },
  {
    name: "a picture that is not there",
    seed: registry("picture", ({ listings }) => {
      Object.assign(listings[0] ?? {}, { cover: "nowhere.png" });
    }),
    finds: [["warning", "REGISTRY", /listings\[0\]\.cover: does not exist/, /a pattern stands in/]],
  },
  {
    name: "listings of an escrow that is not followed",
    seed: registry("unfollowed", ({ listings }, { rogue }) => {
      Object.assign(listings[1] ?? {}, { escrowAddress: rogue.address });
    }),
    finds: [["warning", "REGISTRY", /1 listing of the escrow 0x.*not in ESCROWS/, /Add the escrow/]],
  },
  {
    name: "listings of an account without code, and of a token",
    seed: registry("no-contract", ({ listings }, { dollar }) => {
      Object.assign(listings[0] ?? {}, { escrowAddress: dollar.address });
      Object.assign(listings[1] ?? {}, { escrowAddress: NOWHERE });
    }),
    finds: [
      [
        "warning",
        "REGISTRY",
        /1 listing of 0x.*, which is a token, not a listing escrow/,
        /^Correct its escrow/,
      ],
      ["warning", "REGISTRY", /1 listing of 0xd0.*, where there is no contract/, /^Correct its escrow/],
    ],
  },
  {
    name: "a listing of an account without code, where a factory announces escrows",
    seed: async (setUp) => {
      const { factory } = setUp;
      const { env } = await registry("factory", ({ listings }) => {
        Object.assign(listings[1] ?? {}, { escrowAddress: NOWHERE });
      })(setUp);
      return { env: { ...env, ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}` } };
    },
    finds: [
      ["warning", "REGISTRY", /1 listing of 0xd0.*, where there is no contract/, /^Correct its escrow/],
    ],
  },
  {
    name: "raises of contracts that tell nothing of them, without a reference number and a closing time",
    seed: async (setUp) => {
      const path = join(setUp.folder, "silent.mjs");
      writeFileSync(
        path,
        `export default { name: "Silent", escrow: { abi: ${JSON.stringify(SILENT)}, events: { ListingCreated: () => null, OwnershipTransferred: () => null } } };`,
      );
      const { env } = await registry("silent", ({ listings }) => {
        const terms = {
          ...{ targetAmount: "1000", minRaise: "100", couponRateBps: 1, tenorDays: 1, insuranceBps: 1 },
          ...{ pricingMode: "fixed", goLiveAt: "2026-03-01T12:00:00Z" },
        };
        Object.assign(listings[0] ?? {}, { terms: { ...terms, closeAt: "2026-04-01T12:00:00Z" } });
        Object.assign(listings[1] ?? {}, { terms, refnum: "RB00002" });
      })(setUp);
      return { env: { ...env, CONTRACTS: path } };
    },
    finds: [
      ["problem", "DESK", /a part of the contracts' module that is not there: desk/, /take DESK out/],
      ["problem", "DESK", /needs the token of each raise from its listing_created/, /take DESK out/],
      ["problem", "DESK", /^names 0x.*, whose code has no event of a secondary desk/, /^Take the address/],
      ["warning", "REGISTRY", /lst_1 has no reference number, .* it is not shown/, /^Add refnum/],
      ["warning", "REGISTRY", /lst_2 has no closing time, .* stays open for good/, /^Add closeAt/],
    ],
  },
  {
    name: "an app without the pages that are linked to",
    seed: async (_, onEnd) => {
      const app = await serve((_request, response) => void response.writeHead(404).end());
      onEnd(app.stop);
      return { env: { APP_URL: app.url } };
    },
    finds: [["warning", "APP_URL", /\/listings\/lst_1 answers 404/, /Correct it/]],
  },
  {
    name: "an explorer that is not there",
    seed: async () => ({ env: { EXPLORER_URL: `http://127.0.0.1:${await freePort()}` } }),
    finds: [["warning", "EXPLORER_URL", /\/address\/0x.* cannot be reached \(ECONNREFUSED\)/, /Correct it/]],
  },
  {
    name: "a data directory of another chain",
    seed: async ({ folder }) => {
      const directory = join(folder, "other-chain");
      mkdirSync(directory);
      writeFileSync(
        join(directory, "chain.json"),
        JSON.stringify({ chainId: 97, blockNumber: 0, blockHash: "0x01" }),
      );
      return { env: { RAISEBOOK_DATA_DIR: directory } };
    },
    finds: [["problem", "RAISEBOOK_DATA_DIR", /^holds data of another chain/, /move this one away/]],
  },
  {
    name: "a data directory below a file",
    seed: async ({ env }) => ({ env: { RAISEBOOK_DATA_DIR: `${env.REGISTRY}/data` } }),
    finds: [["problem", "RAISEBOOK_DATA_DIR", /^cannot be written: .* is no directory/, /another directory/]],
  },
  {
    name: "a data directory that is in use, while nothing answers",
    seed: async ({ folder }, onEnd) => {
      const directory = join(folder, "used");
      const lock = await lockDataDirectory(directory);
      onEnd(lock.release);
      return { env: { RAISEBOOK_DATA_DIR: directory, PORT: String(await freePort()) } };
    },
    finds: [
      [
        "warning",
        "RAISEBOOK_DATA_DIR",
        /is in use by process \d+.*nothing answers/,
        /or stop that process \d+/,
      ],
    ],
  },
];
