/**
 * Newcomers' words, and what the knowledge base says instead. Everyday words only: a term of the field belongs in the
 * pages.
 * @module
 */
import { termsOf } from "./terms.ts";

/** On the left words as typed, in lower case; on the right what is searched as well. */
const SYNONYMS: readonly (readonly [words: string, meaning: string])[] = [
  ["borrower company firm issuer", "business originator"],
  ["lender investor", "backer holder"],
  ["invest contribute fund pledge", "subscribe invest"],
  ["subscribe", "invest sign wallet"],
  ["subscription", "subscribe"],
  ["login log account metamask", "sign wallet browser"],
  ["password credentials apikey oauth", "key credential"],
  ["bot ai robot llm assistant", "agent software"],
  ["chatgpt copilot cursor", "mcp agent endpoint"],
  ["desktop install setup configure", "mcp endpoint"],
  ["sdk library typescript javascript npm", "typed client package"],
  ["swagger spec specification documentation docs", "openapi"],
  ["blockchain network testnet mainnet", "chain network test"],
  ["eth ethereum", "evm chain"],
  ["score rank", "grade"],
  ["rating ratings", "grade"],
  ["calculate calculated calculation determined worked", "computed formula"],
  ["rate interest apr", "coupon"],
  ["earn profit apy", "interest yield"],
  ["bps bp", "basis points"],
  ["wei", "base units"],
  ["duration length", "tenor term"],
  ["costs cost charge charges commission", "fee"],
  ["return returned", "refund"],
  ["fail fails failed failure unsuccessful", "below minimum"],
  ["loss losses lose", "reserve unpaid"],
  ["guarantee guaranteed collateral insurance insured protected", "reserve"],
  ["overdue delayed", "late"],
  ["paid payday", "repayment payout"],
  ["bankrupt bankruptcy insolvent insolvency", "default unpaid"],
  ["live voided cancelled matured refunding listed funding", "status"],
  ["matured", "maturity settled"],
  ["refunding", "refund"],
  ["hold holds custody", "escrow"],
  ["resell resale liquidity market exchange", "desk sell"],
  ["exit leave quit", "withdraw sell"],
  ["pagination paginate paging", "page cursor"],
  ["earlier historical history historic snapshot yesterday ago month year", "past"],
  ["notify notified notification webhook webhooks alert poll polling", "follow changes"],
  ["download export excel spreadsheet", "csv"],
  ["quota throttle throttled", "rate limit"],
  ["stale delay recent outdated old", "fresh"],
  ["reorganisation reorganization reorged", "reorg"],
  ["unique primary", "identifiers"],
  ["timezone timestamp", "times utc"],
  ["safe trust believe true scam fraud", "verified untrusted data instructions"],
  ["kyc", "kyb verification"],
];

const MEANINGS = new Map<string, Set<string>>();
for (const [words, meaning] of SYNONYMS) {
  for (const word of words.split(" ")) {
    const terms = MEANINGS.get(word) ?? new Set();
    for (const term of termsOf(meaning)) terms.add(term);
    MEANINGS.set(word, terms);
  }
}

/** The terms that a word (lower case, not stemmed) may also mean; null for a word without synonyms. */
export function meaningsOf(word: string): ReadonlySet<string> | null {
  return MEANINGS.get(word) ?? null;
}
