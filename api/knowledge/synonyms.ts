/**
 * Newcomers' words, and the knowledge base's words for them. Everyday words only: terms of the field belong in the pages.
 * @module
 */
import { termsOf, wordsIn } from "./terms.ts";

/**
 * On the left words as typed, in lower case, or phrases of two; on the right the words that are searched too. A word includes
 * its other forms, unless one of them has its own line.
 */
const SYNONYMS: readonly (readonly [words: string, meaning: string])[] = [
  // People and businesses
  ["borrower, company, firm, issuer, shop, startup", "business originator"],
  ["lender, investor, people, funder", "backer holder"],
  ["website, platform, marketplace, site", "site service"],
  ["bot, ai, robot, llm, assistant", "agent software"],
  ["country, nation, registered, incorporated, based", "jurisdiction country registered"],
  ["vetted, legit, legitimate, genuine, reputable", "checked verified kyb"],
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
  ["fail, fails, failed, failure, unsuccessful", "below minimum"],
  ["payday", "repayment payout"],
  ["pay back, paying back, pays back, paying people", "repayment repays"],
  ["resell, resale, liquidity, market, exchange", "desk sell"],
  ["exit, leave, quit", "withdraw sell"],
  // What it earns, what it costs, how long it takes
  ["rate, interest, apr", "coupon"],
  ["earn, profit, apy", "interest yield"],
  ["yearly, annual, annually, annum, per year", "year coupon interest"],
  ["percent, percentage", "percent rate points"],
  ["bps, bp", "basis points"],
  ["wei", "base units"],
  ["duration, length, tied up, locked, lockup", "tenor term maturity"],
  ["costs, cost, charge, charges, commission", "fee cost"],
  ["regular, normal, ordinary", "fixed"],
  ["bidding", "auction bids"],
  // What can go wrong
  ["loss, losses, lose", "reserve unpaid"],
  ["guarantee, guaranteed, collateral, insurance, insured, protected", "reserve"],
  ["cushion, buffer, safety, shortfall, own money, covers, covered", "reserve"],
  ["overdue, delayed", "late"],
  ["bankrupt, bankruptcy, insolvent, insolvency", "default unpaid"],
  ["score, rank", "grade"],
  ["rating, ratings", "grade"],
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
  ["reorganisation, reorganization, reorged", "reorg"],
  ["letters, ticker, code, digits", "refnum symbol reference number"],
  ["id, unique, primary", "identifiers"],
  ["uppercase, capital, capitals, checksum, checksummed, lower case, upper case", "lowercase"],
  // Programs
  ["chatgpt, copilot, cursor", "mcp agent endpoint"],
  ["desktop, install, setup, configure", "mcp endpoint"],
  ["sdk, library, typescript, javascript, npm", "typed client package"],
  ["swagger, spec, specification, documentation, docs", "openapi"],
  ["pagination, paginate, paging, page through", "pages cursor"],
  ["earlier, historical, history, historic, snapshot, yesterday, ago", "past"],
  ["notify, notified, notification, webhook, webhooks, alert, poll, polling", "follow changes"],
  ["download, export, excel, spreadsheet", "csv"],
  ["quota, throttle, throttled, how often", "rate limit"],
  ["stale, delay, recent, outdated, old", "fresh"],
  ["uptime, downtime, outage, offline, online, is up, is down", "health status"],
  ["timezone, timestamp", "times utc"],
];

const MEANINGS = new Map<string, Set<string>>();
const MEANINGS_OF_STEMS = new Map<string, Set<string>>();
for (const [words, meaning] of SYNONYMS) {
  for (const word of words.split(", ")) {
    add(MEANINGS, word, meaning);
    const [only, another] = wordsIn(word);
    for (const stem of another === undefined ? (only?.terms ?? []) : [])
      add(MEANINGS_OF_STEMS, stem, meaning);
  }
}

function add(meanings: Map<string, Set<string>>, key: string, meaning: string) {
  const terms = meanings.get(key) ?? new Set();
  for (const term of termsOf(meaning)) terms.add(term);
  meanings.set(key, terms);
}

/** The terms that a phrase (lower case, not stemmed) may also mean, or a word with these stems; none for most. */
export function meaningsOf(phrase: string, stems: readonly string[] = []): readonly string[] {
  const exact = MEANINGS.get(phrase);
  if (exact !== undefined) return [...exact];
  return stems.flatMap((stem) => [...(MEANINGS_OF_STEMS.get(stem) ?? [])]);
}
