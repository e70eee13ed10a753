/** @module Faults of the environment and the contracts. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Hex, pad } from "viem";
import { endpoint } from "./endpoint-faults.ts";
import type { Fault } from "./fault.ts";
import { NOWHERE } from "./set-up.ts";

export const ENVIRONMENT_FAULTS: readonly Fault[] = [
  {
    name: "a name that nothing reads instead of a required one",
    seed: { RPC_URLS: "", RPC_URL: "http://127.0.0.1:1/secret-key" },
    finds: [
      ["problem", "RPC_URLS", /^is required/, /RPC_URLS=https:/],
      ["warning", "RPC_URL", /^is set, but nothing reads it/, /Call it RPC_URLS/],
    ],
    isCutShort: true,
  },
  {
    name: "several values that cannot be used",
    seed: { PORT: "x", HOLDERS: "maybe", KNOWLEDGE: "nowhere" },
    finds: [
      ["problem", "HOLDERS", /^must be true or false/, /HOLDERS=true/],
      ["problem", "PORT", /^must be an integer/, /PORT=42069/],
      ["problem", "KNOWLEDGE", /does not exist/, /Fix the pages/],
    ],
    isCutShort: true,
  },
  {
    name: "a logo that is not there",
    seed: { SITE_LOGO: "nowhere.svg" },
    finds: [["problem", "SITE_LOGO", /^cannot be used \(nowhere\.svg\)/, /Take another file/]],
  },
  {
    name: "a name in the singular that nothing reads",
    seed: { TRUSTED_PROXY: "127.0.0.1" },
    finds: [["warning", "TRUSTED_PROXY", /^is set, but nothing reads it/, /Call it TRUSTED_PROXIES/]],
  },
  {
    name: "files with keys that every user of the machine can read",
    seed: async (setUp) => {
      const folder = mkdtempSync(join(setUp.folder, "settings-"));
      const files = [".env.local", ".env", "raisebook.env"].map((name) => join(folder, name));
      for (const [index, file] of files.entries()) {
        writeFileSync(file, "RPC_URLS=http://127.0.0.1:1/secret-key");
        chmodSync(file, [0o644, 0o640, 0o606][index] ?? 0);
      }
      return { options: { files: [...files, join(folder, "nowhere")] } };
    },
    finds: [
      [
        "warning",
        /\/\.env\.local$/,
        /^can be read by every user of this machine \(mode 644\)/,
        /^chmod 600 /,
      ],
      [
        "warning",
        /\/raisebook\.env$/,
        /^can be read and changed by every user .*\(mode 606\)/,
        /^chmod 600 /,
      ],
    ],
  },
  {
    name: "a public host with an address of this machine alone",
    seed: { HOST: "0.0.0.0" },
    finds: [
      ["warning", "PUBLIC_URL", /^leads every visitor to their own machine/, /or HOST to 127\.0\.0\.1/],
    ],
  },
];

/** Passes each call on to the implementation (EIP-1967). */
const IMPLEMENTATION = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const PROXY: Hex = `0x365f5f375f5f365f7f${IMPLEMENTATION.slice(2)}545af43d5f5f3e3d5ff3`;

/** The project's contracts as a module of an operator's. */
const BUILT_IN = fileURLToPath(new URL("../../../src/contracts/built-in.ts", import.meta.url));

export const CONTRACT_FAULTS: readonly Fault[] = [
  {
    name: "a contracts module that can be read and not used",
    seed: async ({ folder }) => {
      const path = join(folder, "unusable.mjs");
      writeFileSync(path, 'export default { name: "x", escrow: { events: [{ event: "none", map: 5 }] } };\n');
      return { env: { CONTRACTS: path } };
    },
    finds: [["problem", "CONTRACTS", /^cannot be used \(.*unusable\.mjs\):\n/, /^Fix the module/]],
    isCutShort: true,
  },
  {
    name: "a contracts module with events that never occur, and without one that does",
    seed: async ({ folder }) => {
      const path = join(folder, "contracts.ts");
      writeFileSync(
        path,
        `import { BUILT_IN } from ${JSON.stringify(BUILT_IN)};\nexport default { ...BUILT_IN, name: "Harbor Lending" };\n`,
      );
      return { env: { CONTRACTS: path } };
    },
    finds: [
      [
        "warning",
        "CONTRACTS",
        /^has handlers for events that none of the escrows emitted in the blocks \d+ to \d+: ListingTermsUpdated\(.*, and 6 more$/,
        /^Compare their parameters/,
      ],
      [
        "warning",
        "CONTRACTS",
        // OwnershipTransferred, at the deployment.
        /^has no handler for an event that is not in its ABI, with the topic 0x8be0079c.*: 1 of 3 logs \(33 %\)/,
        /add it to escrow\.abi with a handler/,
      ],
    ],
    measures: /CONTRACTS: module=Harbor Lending events=12 decimals=18 logs=3/,
  },
  {
    name: "an address without a contract",
    seed: async ({ env }) => ({ env: { ESCROWS: `${env.ESCROWS},${NOWHERE}@1` } }),
    finds: [["problem", "ESCROWS", /where there is no contract/, /from the deployment on this chain/]],
  },
  {
    name: "a token as the only escrow",
    seed: async ({ dollar, registry, writeRegistry }) => {
      const document = structuredClone(registry);
      for (const listing of document.listings) Object.assign(listing, { escrowAddress: dollar.address });
      return {
        env: {
          ESCROWS: `${dollar.address}@${dollar.blockNumber}`,
          REGISTRY: await writeRegistry("token.json", document),
        },
      };
    },
    finds: [["problem", "ESCROWS", /, which is a token, not a listing escrow/, /from the deployment/]],
  },
  {
    name: "a token behind a proxy, and one behind a clone, as factory and desk",
    seed: async ({ chain, dollar }) => {
      const [proxy, clone] = [`0x${"b1".repeat(20)}`, `0x${"b2".repeat(20)}`] as const;
      const implementation = dollar.address.slice(2);
      await chain.testClient.setCode({ address: proxy, bytecode: PROXY });
      await chain.testClient.setStorageAt({
        address: proxy,
        index: IMPLEMENTATION,
        value: pad(dollar.address),
      });
      await chain.testClient.setCode({
        address: clone,
        bytecode: `0x363d3d373d3d3d363d73${implementation}5af43d82803e903d91602b57fd5bf3`,
      });
      const start = dollar.blockNumber;
      return { env: { ESCROW_FACTORY: `${proxy}@${start}`, DESK: `${clone}@${start}` } };
    },
    finds: [
      ["problem", "ESCROW_FACTORY", /, which is a token, not an escrow factory/, /from the deployment/],
      ["problem", "DESK", /, which is a token, not a secondary desk/, /from the deployment/],
    ],
  },
  {
    name: "a contract that emits nothing as the desk",
    seed: async ({ chain }) => {
      const address = `0x${"b3".repeat(20)}` as const;
      await chain.testClient.setCode({ address, bytecode: "0x00" });
      return { env: { DESK: `${address}@${await chain.publicClient.getBlockNumber()}` } };
    },
    finds: [["problem", "DESK", /, whose code has no event of a secondary desk/, /from the deployment/]],
  },
  {
    name: "a start block in the future",
    seed: async ({ desk }) => ({ env: { DESK: `${desk.address}@999999` } }),
    finds: [["problem", "DESK", /at block 999999, but the chain's newest/, /block of its deployment/]],
  },
  {
    name: "a start block after the first events",
    seed: async ({ escrow }) => ({ env: { ESCROWS: `${escrow.address}@${escrow.blockNumber + 40n}` } }),
    finds: [["problem", "ESCROWS", /after its first events \(block \d+\)/, /block of its deployment/]],
    proposes: ({ escrow }) => ({ ESCROWS: `${escrow.address}@${escrow.blockNumber}` }),
  },
  {
    name: "the same with a node that has no old states",
    seed: async (setUp, onEnd) => {
      const { escrow } = setUp;
      const { env } = await endpoint(
        (proxy) => {
          proxy.answers = ({ method, params }) => {
            if (method === "eth_getCode" && params?.[1] !== "latest") throw new Error("missing trie node");
          };
        },
        { isAlone: true },
      )(setUp, onEnd);
      return { env: { ...env, ESCROWS: `${escrow.address}@${escrow.blockNumber + 40n}` } };
    },
    finds: [["problem", "ESCROWS", /after its first events \(block \d+\)/, /block of its deployment/]],
  },
  {
    name: "a start block long before the deployment",
    seed: async ({ desk, escrow }) => ({
      env: { ESCROWS: `${escrow.address}@10`, DESK: `${desk.address}@${desk.blockNumber}` },
    }),
    finds: [["warning", "ESCROWS", /blocks before it was deployed/, /block of its deployment/]],
    proposes: ({ escrow }) => ({ ESCROWS: `${escrow.address}@${escrow.blockNumber}` }),
  },
  {
    name: "an escrow that is named as the desk",
    seed: async ({ escrow }) => ({ env: { DESK: `${escrow.address}@${escrow.blockNumber}` } }),
    finds: [["problem", "DESK", /, which is a listing escrow, not a secondary desk/, /name it in ESCROWS/]],
  },
];
