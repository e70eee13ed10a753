/** @module The claims on who can sign, and on the glossary's figures. */
import { expect } from "vitest";
import { formatAmount } from "../../api/market/amount.ts";
import { priceBps } from "../../api/market/yield.ts";
import { SITE } from "../harness/snapshot.ts";
import { type Claim, section } from "./knowledge-claims.ts";
import { ask } from "./knowledge-claims-asking.ts";

const signing = (anchor: string, claims: Parameters<typeof section>[2]) => section("signing", anchor, claims);
const glossary = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("glossary", anchor, claims);

const SIGNING_CLAIMS = [
  signing("", [
    [
      "This service only reads.",
      async () => {
        for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
          expect((await ask("/v1/listings", { method })).status, method).toBe(405);
        }
      },
    ],
  ]),
  signing("", [["Money moves only when a person signs with their own wallet.", "definition"]]),
  signing("how-do-i-invest-or-claim-a-refund", [
    [
      "To back a business, open its raise in the app (its page links there), connect the wallet that owns the money, and sign in (Sign-In With Ethereum).",
      async () => {
        const { appUrl, publicId } = JSON.parse((await ask("/v1/listings/lst_2")).text);
        expect(appUrl).toBe(`${SITE.appUrl}/listings/${publicId}`);
      },
    ],
  ]),
  // The app is outside this service: the interface document, "Authentication", 4.
  signing("how-do-i-invest-or-claim-a-refund", [
    ["The app, not this service, then asks for each signature.", "definition"],
  ]),
  signing("why-can-software-not-act-for-a-person", [
    [
      "A person signs with it in a browser; no credential exists that would let software do it instead.",
      "definition",
    ],
  ]),
  signing("what-can-an-agent-do", [
    [
      "Read the market, form a recommendation, and hand the person the `appUrl` (or, when it is null because no app is configured, the `url`).",
      ["test/unit/no-app.test.ts › is null without an app, on every face"],
    ],
    [
      "The person checks it and signs. An agent never needs a private key or seed phrase: never ask for one.",
      "advice",
    ],
  ]),
  signing("do-i-need-a-wallet-an-account-or-an-api-key", [
    [
      "You need a wallet to lend, claim or sell, and nothing to read: no API key, no OAuth, no registration.",
      async () => expect((await ask("/v1/listings")).status).toBe(200),
    ],
  ]),
  signing("do-i-need-a-wallet-an-account-or-an-api-key", [
    ["A browser wallet for this network will do.", "definition"],
  ]),
  signing("for-developers", [
    [
      "Nothing is issued, needed or accepted",
      async () => {
        const headers = { Authorization: "Bearer anything" };
        expect((await ask("/v1/listings", { headers })).text).toBe((await ask("/v1/listings")).text);
      },
    ],
    [
      "The discovery files of authorization servers answer 404.",
      async () => {
        const files = ["openid-configuration", "oauth-authorization-server", "oauth-protected-resource"];
        for (const file of files) expect((await ask(`/.well-known/${file}`)).status, file).toBe(404);
      },
    ],
  ]),
  signing("why-can-software-not-act-for-a-person", [
    [
      "only the wallet's key can move it",
      ["contracts/EscrowRaise.sol#withdraw", "contracts/EscrowPayouts.sol#claimPayout"],
    ],
  ]),
  signing("what-is-not-here", [
    ["Subscribing, selling, binding a payout wallet", "definition"],
    [
      "No endpoint takes a person's address.",
      async () => {
        const { paths } = JSON.parse((await ask("/openapi.json")).text);
        // Examples of answers have the names of contracts' arguments.
        const parameters = JSON.stringify(paths, (key, value) => (key === "example" ? undefined : value));
        const names = parameters.match(/"name":"[^"]+"/g) ?? [];
        expect(names.length).toBeGreaterThan(10);
        expect(names.join()).not.toMatch(/address|account|backer|payer|holder|seller|buyer|wallet/i);
      },
    ],
  ]),
];

const GLOSSARY_CLAIMS = [
  glossary("money-and-terms", [
    ["10^18 to one", () => expect(formatAmount(`${10n ** 18n}`)).toBe("1 USD-test")],
    ["a price of 10000, one dollar for a token", () => expect(priceBps(1n, 1n)).toBe(10_000n)],
  ]),
  glossary("chain-and-data", [
    ["a raise's ERC-20", ["contracts/ListingToken.sol#ListingToken"]],
    ["such as RB00042", ["src/fold/lifecycle.ts#REFNUM"]],
  ]),
];

export const CLAIMS_ON_SIGNING: readonly Claim[] = SIGNING_CLAIMS.flat();
export const CLAIMS_OF_THE_GLOSSARY: readonly Claim[] = GLOSSARY_CLAIMS.flat();
