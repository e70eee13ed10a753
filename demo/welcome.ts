/** @module The demo's message when it is ready: all addresses, and things to try. */
import { relative } from "node:path";
import { DEFAULT_AFTER } from "../api/market/status.ts";
import { DAY, isoTime } from "../config/format/time.ts";
import type { DemoOptions } from "../operate/cli/demo-options.ts";
import { BUSINESSES } from "./market/cast.ts";
import type { PlayedMarket } from "./market/play.ts";

export type WelcomeParameters = {
  readonly options: DemoOptions;
  readonly market: PlayedMarket;
  /** The API's. */
  readonly url: string;
  /** The operator server's. */
  readonly operatorUrl: string;
  /** The URL of the stand-in for the app. */
  readonly appUrl: string;
  readonly rpcUrl: string;
  /** Duration of the preparation. */
  readonly seconds: number;
};

const YEAR = 365 * 86_400;

/** Chain time advances with blocks, so one is mined too. */
const TEN_DAYS_ON =
  '[{"jsonrpc":"2.0","id":1,"method":"evm_increaseTime","params":[864000]},{"jsonrpc":"2.0","id":2,"method":"evm_mine"}]';

export function welcome(parameters: WelcomeParameters): string {
  const { options, market, url, operatorUrl, appUrl, rpcUrl, seconds } = parameters;
  const { registry, plan, places, settings } = market;
  const visible = plan.raises.filter(({ story, terms }) => !story.unpublished && terms.goLiveAt <= plan.end);
  const open = plan.raises.findLast(({ story }) => story.role === "unfilled" && story.closeDay !== null);
  const business = businessInDefault(plan);
  const days = Math.round((plan.end - plan.genesisAt) / 86_400);
  const module =
    settings.CONTRACTS === undefined ? "" : `\n  Contracts     ${relative(".", settings.CONTRACTS)}`;
  const pace = options.still
    ? "The market stands still now. Ctrl-C ends everything."
    : "The market goes on, as shown below. Ctrl-C ends everything.";
  return `
Raisebook is ready, after ${seconds.toFixed(1)} s: ${visible.length} raises of ${registry.originators.length} businesses, ${days} days, seed ${options.seed}.

  Site          ${url}/
  Listings      ${url}/v1/listings
  Originators   ${url}/v1/originators
  Events        ${url}/v1/events
  Statistics    ${url}/v1/stats
  Health        ${url}/v1/health
  MCP           ${url}/mcp
  GraphQL       ${url}/graphql
  OpenAPI       ${url}/openapi.json
  Operator      ${operatorUrl}/ (metrics, audits; this machine only)
  App           ${appUrl}/ (a stand-in for the app where people sign)
  Chain         ${rpcUrl} (chain id 97)
  Escrows       ${places.map(({ address, note }) => `${address} (${note})`).join("\n                ")}${module}

Things to try, in another terminal:

  one raise by its reference number
    curl ${url}/v1/listings/${open?.refnum ?? "RB00001"}
  a business${business === undefined ? "" : " with a raise in default"}, and its grade
    curl ${url}/v1/originators/${business ?? registry.originators[0]?.publicId}
  its events and its schedule
    curl '${url}/v1/listings/${open?.refnum ?? "RB00001"}/events?limit=5'
    curl ${url}/v1/listings/${open?.refnum ?? "RB00001"}/schedule
  raises that were repaying a year ago, as a spreadsheet
    curl '${url}/v1/listings.csv?status=live&asOf=${isoTime(BigInt(plan.end - YEAR))}'
  an audit of every figure against the contracts
    npm run audit -- --url ${operatorUrl}
  a conditional request (304 until something changes)
    curl -i -H 'If-None-Match: <the ETag of an answer>' ${url}/v1/listings
  ten days later: raises close by time alone
    curl -H 'Content-Type: application/json' -d '${TEN_DAYS_ON}' ${rpcUrl}

${pace}

`;
}

/** The public id of one with a raise that stays in default while the market goes on; not every market has any. */
export function businessInDefault({ raises }: Pick<PlayedMarket["plan"], "raises">): string | undefined {
  const found = raises.find(
    ({ story: { role, drawnDay = 0, tenorDays } }) =>
      role === "distressed" && BigInt(drawnDay + tenorDays) * DAY + DEFAULT_AFTER < 0n,
  );
  return found && BUSINESSES[found.story.business].publicId;
}
