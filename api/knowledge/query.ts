/** @module A query as terms: the user's own, and those that the knowledge base uses for the same things. */
import { whenAsked } from "../../config/when-asked.ts";
import { termsOf, wordsIn } from "./terms.ts";

/**
 * On the left words as typed, in lower case, or phrases of two; on the right the words that are searched too. A word includes
 * its other forms, unless one of them has its own line. Everyday words only: terms of the field belong in the pages.
 */
const SYNONYMS: readonly (readonly [words: string, meaning: string])[] = [
  // People and businesses
  ["borrower, company, firm, issuer, shop, startup", "business originator"],
  ["lender, investor, people, funder", "backer holder"],
  ["website, platform, marketplace, site", "site service"],
  ["runs this, owns this, owner, licensed, licence, license, legal", "behind operator regulated"],
  ["bot, ai, robot, llm, assistant", "agent software"],
  ["country, nation, registered, incorporated, based", "jurisdiction country registered"],
  ["vetted, legit, legitimate, genuine, reputable, fake, exists", "checked verified kyb"],
  ["kyc", "kyb verification"],
  ["safe, trust, believe, true, scam, fraud", "verified untrusted data instructions"],
  // Putting money in
  ["invest, contribute, fund, pledge, donate", "subscribe invest"],
  ["back a, back this, back the, back one, put in, join", "subscribe invest backers"],
  ["subscribe", "invest sign wallet"],
  ["subscription", "subscribe"],
  ["cash, coin, currency", "money dollar"],
  ["accepting, taking money, still taking", "accepts status"],
  ["goal", "target"],
  ["collected, gathered, committed, so far", "raised committed"],
  ["supporter, subscriber", "backers subscriberCount"],
  ["hold, holds, custody, money go, money goes", "escrow holds"],
  // Getting money out
  ["return, returned, money back, cash back", "refund"],
  ["refunding", "refund"],
  [
    "enough people, enough backers, enough lenders, enough money, raise enough, raised enough, collect enough",
    "below minimum",
  ],
  ["fail, fails, failed, failure, unsuccessful", "below minimum"],
  ["payday, get paid, paid out, being paid", "repayment payouts due maturity"],
  ["pay back, paying back, pays back, paying people", "repayment repays"],
  ["buy, buying, buyer", "desk sell buyers offers"],
  ["resell, resale, liquidity, market, exchange", "desk sell"],
  ["exit, leave, quit, pull out", "withdraw sell"],
  ["changed my, my mind, i cancel, back out, take back", "take withdraw close"],
  ["not received, not arrive, nothing came", "claim repayments arrived"],
  ["recover, recovery", "recovered loss"],
  // Earnings, costs and durations
  ["rate, interest, apr", "coupon"],
  ["earn, profit, apy", "interest yield"],
  ["yearly, annual, annually, annum, per year", "year coupon interest"],
  ["right away, immediately, at once", "drawdown draws"],
  ["percent, percentage", "percent rate points"],
  ["bps, bp", "basis points"],
  ["wei", "base units"],
  ["duration, length, tied up, locked, lockup", "tenor term maturity"],
  ["costs, cost, charge, charges, commission", "fee cost"],
  ["make money, earn money, business model, revenue, income", "fee"],
  ["minimum amount, minimum investment, least amount, minimum bid", "smallest amount lend"],
  ["regular, normal, ordinary", "fixed"],
  ["bidding, is decided, rate decided", "auction bids"],
  // Risks
  ["loss, losses, lose", "reserve unpaid"],
  ["guarantee, guaranteed, collateral, insurance, insured, protected", "reserve"],
  ["cushion, buffer, safety, deposit, shortfall, own money, covers, covered", "reserve"],
  ["overdue, delayed", "late"],
  ["not pay, cant pay, doesnt pay, unable to, stops paying, never pays", "default missing lose"],
  ["bankrupt, bankruptcy, insolvent, insolvency", "default unpaid"],
  ["score, rank", "grade"],
  ["number, numbers", "figures"],
  ["evidence, proof, prove, proven", "proof derives check figures"],
  [
    "verify a, verify an, verify the, verify this, verify it, verify one, verify figures, verify events, i verify, on chain",
    "check figures prove proof",
  ],
  ["auditor, audited, audits", "audit check figures"],
  ["rating, ratings", "grade"],
  ["rated, unrated, no grade, no rating", "nr grade"],
  ["calculate, calculated, calculation, determined, worked", "computed formula"],
  ["live, voided, cancelled, matured, refunding, listed, funding", "status"],
  ["matured", "maturity settled"],
  // Signing in
  ["login, log, account, metamask", "sign wallet browser"],
  ["password, credentials, apikey, oauth", "key credential"],
  ["signup, register, sign up, an account", "registration"],
  // The chain
  ["blockchain, network, testnet, mainnet", "chain network test"],
  ["eth, ethereum", "evm chain"],
  ["explorer, etherscan, smart contract", "address contract"],
  ["undone, reversed, revert, reverted", "pending final reversed"],
  ["reorganisation, reorganization, reorged", "reorg"],
  ["ticker, code, digits", "refnum symbol reference number"],
  ["id, unique, primary", "identifiers"],
  ["uppercase, capital, capitals, checksum, checksummed, lower case, upper case", "lowercase"],
  // Programs
  ["chatgpt, copilot, cursor", "mcp agent endpoint"],
  ["desktop, install, setup, configure", "mcp endpoint"],
  ["sdk, library, typescript, javascript, npm", "typed client package"],
  ["json, rest", "api endpoints"],
  ["swagger, spec, specification", "openapi"],
  ["docs, manual", "documentation developers"],
  ["pagination, paginate, paging, page through", "pages cursor"],
  ["earlier, historical, history, historic, snapshot, yesterday, ago", "past"],
  ["notify, notified, notification, webhook, webhooks, alert, poll, polling", "follow changes"],
  ["download, export, excel, spreadsheet", "csv"],
  ["open data, dataset, bulk, dump, database, duckdb, warehouse", "data parquet sql"],
  ["book root, merkle", "root hash book"],
  ["quota, throttle, throttled, how often", "rate limit"],
  ["stale, delay, recent, outdated, old", "fresh"],
  ["uptime, downtime, outage, offline, online, is up, is down", "health status"],
  ["timezone, timestamp", "times utc"],
];

/** The synonyms by words, and by stems. */
const meanings = whenAsked(() => {
  const [ofWords, ofStems] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const [words, meaning] of SYNONYMS) {
    for (const word of words.split(", ")) {
      add(ofWords, word, meaning);
      const [only, another] = wordsIn(word);
      for (const stem of another === undefined ? (only?.terms ?? []) : []) add(ofStems, stem, meaning);
    }
  }
  return { ofWords, ofStems };
});

function add(known: Map<string, Set<string>>, key: string, meaning: string) {
  const terms = known.get(key) ?? new Set();
  for (const term of termsOf(meaning)) terms.add(term);
  known.set(key, terms);
}

/** The terms that a phrase (lower case, not stemmed) may also mean, or a word with these stems; none for most. */
function meaningsOf(phrase: string, stems: readonly string[] = []): readonly string[] {
  const { ofWords, ofStems } = meanings();
  const exact = ofWords.get(phrase);
  if (exact !== undefined) return [...exact];
  return stems.flatMap((stem) => [...(ofStems.get(stem) ?? [])]);
}

export type Query = {
  /** as typed, up to the length limit */
  text: string;
  /** the user's own terms, each once */
  terms: readonly string[];
  /** synonyms of them, each once, without the user's own */
  synonyms: readonly string[];
  /** the user's terms that have synonyms: words about rules, not names */
  translated: ReadonlySet<string>;
  /** whether it asks for the meaning of a word */
  asksForMeaning: boolean;
};

const LONGEST_QUERY = 400;
const MOST_TERMS = 40;
/** "What is a coupon?" is about a word; "what is paid back when a raise fails?" is not. */
const MOST_TERMS_OF_A_WORD = 2;
const ASKS_FOR_MEANING =
  /^\s*(?:what(?:['’]s| is| are| does)|meaning|define|definition)\b|\b(?:mean|stand for)\b/i;

/** Parses a query of any length; only the first 400 characters count. */
export function parseQuery(query: string): Query {
  const text = query.slice(0, LONGEST_QUERY);
  const words = wordsIn(text);
  const terms = [...new Set(words.flatMap((word) => word.terms))].slice(0, MOST_TERMS);
  const synonyms = new Set<string>();
  const translated = new Set<string>();
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    const meanings = [
      ...meaningsOf(word.plain, word.terms),
      ...(next === undefined ? [] : meaningsOf(`${word.plain} ${next.plain}`)),
    ];
    if (meanings.length === 0) continue;
    for (const meaning of meanings) synonyms.add(meaning);
    for (const term of word.terms) translated.add(term);
  }
  for (const term of terms) synonyms.delete(term);
  const asksForMeaning = terms.length <= MOST_TERMS_OF_A_WORD && ASKS_FOR_MEANING.test(text);
  return { text, terms, synonyms: [...synonyms], translated, asksForMeaning };
}
