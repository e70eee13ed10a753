// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// Generated from openapi.json by generate.ts; do not edit.

export interface paths {
    "/listings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All visible listings and the secondary desk
         * @description Every currently visible listing, open or otherwise, newest first; filtered, ordered and in pages on request. `trading` is never filtered. `Accept: text/csv` gets what `/listings.csv` answers. In a large market a long answer is streamed, uncompressed: filtered, ordered or as CSV without `ETag` and `Content-Length`, and the whole list may lack both after a start or many changes. Pages have them.
         */
        get: operations["listListings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The listings as CSV
         * @description What `/listings` answers to `Accept: text/csv`, as a file. A column for each field of a listing.
         */
        get: operations["listListingsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One listing
         * @description By public id or refnum; of several visible listings with one refnum the latest created.
         */
        get: operations["getListing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The repayment schedule of a listing
         * @description Principal and interest, due together at maturity; `estimated` until the money is drawn. Nothing is due on a raise that ended without a drawdown.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/originators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All originators, each with its grade and its listings
         * @description The businesses that have published a listing; filtered, and in pages on request. In a large market a long answer is streamed, without `ETag` and `Content-Length`.
         */
        get: operations["listOriginators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/originators/{publicId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One originator
         * @description By public id, with its grade and its listings.
         */
        get: operations["getOriginator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The market in figures
         * @description Totals over the visible listings.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The market by day, week, month or quarter
         * @description What happened in each period, and what stood at its end, over the raises that are visible now: of all, of one business, of grades or of countries. The last point's totals are those of `/stats` at the same block. `Accept: text/csv` gets what `/stats/series.csv` answers.
         */
        get: operations["getSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/series.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The series as CSV
         * @description A row for each point of `/stats/series`, with a column for each field.
         */
        get: operations["getSeriesCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/cohorts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Loans by drawdown, grade, business or country
         * @description What became of the loans of each cohort, what was expected and what backers really earned, and the same by months since the drawdown. `Accept: text/csv` gets what `/stats/cohorts.csv` answers.
         */
        get: operations["getCohorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/cohorts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cohorts as CSV
         * @description A row for each cohort of `/stats/cohorts`, with a column for each field but `curve`.
         */
        get: operations["getCohortsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/curves.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The curves of the cohorts as CSV
         * @description A row for each month of each `curve` of `/stats/cohorts`, after the name of its cohort.
         */
        get: operations["getCurvesCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of all visible listings
         * @description Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away. Until the backfill is over: 503 with the code `backfilling`. `Accept: text/csv` gets what `/events.csv` answers.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of all visible listings as a file
         * @description Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away. Until the backfill is over: 503 with the code `backfilling`.
         */
        get: operations["listEventsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of one listing
         * @description Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away. `Accept: text/csv` gets what `/listings/{id}/events.csv` answers.
         */
        get: operations["listListingEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/{id}/events.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of one listing as a file
         * @description Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away.
         */
        get: operations["listListingEventsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The proof of an event
         * @description With the block's hash alone, from any node, anyone can check that the contract emitted this event: the header, the path to the receipt under its `receiptsRoot`, and the log in it. For final events only.
         */
        get: operations["getEventProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The proof of a listing's totals
         * @description For each total the last final event that carries it, with its proof, and what later events add and take away; without such an event, all events that add to it. `value` is the source's field and the sum of `sumOf`.
         */
        get: operations["getListingProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/root": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The root of the book
         * @description One hash over every listing and every event as of a final block. Two services that follow the same contracts have the same; `raisebook compare` finds where they differ.
         */
        get: operations["getBookRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/root/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Branches below the root of the book
         * @description The hashes below prefixes of keys, down to the listings and events themselves. A listing's key is the SHA-256 of `<escrowAddress>:<onchainId>`; an event's is its block number (10 digits), log index (8) and part (2), in hexadecimal.
         */
        get: operations["getBookNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live event stream
         * @description Server-Sent Events. `event: ledger` has a row as `/events` shows it, with an `id` to come back with; `event: final` says `{through, root}`: rows up to that block cannot be undone any more, and the root of the book as of it; `event: head` `{blockNumber, blockTime}` comes once a block, with the id of the newest row; `event: reorg` says `{from}`: rows from that block on are withdrawn, and those that replace them follow. The same comes when a raise whose rows were already sent or skipped opens, is published or hidden. A comment comes every 10 s. The filters of `/listings` narrow it to the rows of raises that match, or matched until that row: the row by which a raise leaves the filter still comes, and no later one. Earlier rows of a raise that comes to match do not; `/listings/{id}/events` has them. Clients that read too slowly are disconnected, as are all when the server is replaced: reconnect with the last id. The number of streams open at a time is limited (`/developers/limits`).
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anomalies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Anomalies of the chain
         * @description Newest first, also of listings that are not visible: anomalies are facts of the chain, identified by escrow and on-chain id.
         */
        get: operations["listAnomalies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The health of the service
         * @description 200 while the process serves, whatever the state of the index.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service is at the head of the chain
         * @description 200 only when the backfill is over, the index is at most 10 blocks behind the chain, and neither the RPC has been silent for more than 60 seconds nor the database for more than 10.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last audit
         * @description The operator's last check of every figure against the contracts, and of the tables against the ledger.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Listings: {
            /** @description Every visible listing, open or otherwise; newest first. */
            listings: components["schemas"]["Listing"][];
            trading: components["schemas"]["Trading"];
            page?: components["schemas"]["Page"];
        };
        /** @description A raise. */
        Listing: {
            /**
             * @description Stable public identifier; outlives a redeploy of the contracts.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number; also the symbol of the listing's token. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Title, from the originator: untrusted text.
             * @example A second oven
             */
            title: string;
            /**
             * @description Description, from the originator: untrusted text.
             * @example Working capital for a bakery.
             */
            description: string;
            status: components["schemas"]["ListingStatus"];
            /**
             * @description Amount sought. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            targetAmount: string;
            /**
             * @description Minimum to raise; below it at the close, every backer is refunded. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            minRaise: string;
            /**
             * @description Amount committed so far; fixed from the close on. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            raisedAmount: string;
            /**
             * @description Cost of funds per annum; in an auction the highest accepted until it clears. Basis points, 10000 = 100%.
             * @example 1450
             */
            couponRateBps: number;
            /**
             * @description Term in days from the drawdown
             * @example 12
             */
            tenorDays: number;
            /**
             * @description Reserve that the originator posts against this raise, as a share of the target. Basis points, 10000 = 100%.
             * @example 1450
             */
            insuranceBps: number;
            /**
             * @description Reserve actually held. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reserveBalance: string;
            /**
             * @description How the coupon is set.
             * @example fixed
             * @enum {string}
             */
            pricingMode: "fixed" | "auction";
            /**
             * Format: date-time
             * @description When the raise opens. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            goLiveAt: string;
            /**
             * Format: date-time
             * @description When the raise closes; null = no closing time. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            closeAt: string | null;
            originatorGrade: components["schemas"]["Grade"];
            /**
             * @description Chain of the contracts.
             * @example 97
             */
            chainId: number;
            /**
             * @description The listing's ERC-20 token; null = it has none. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            tokenAddress: string | null;
            /**
             * @description The contract that holds the subscriptions. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            escrowAddress: string;
            /**
             * @description Backers whose net principal is above zero; fixed from the close on
             * @example 12
             */
            subscriberCount: number;
            /**
             * @description Id within the escrow contract; unique only together with `escrowAddress`. Decimal string.
             * @example 1
             */
            onchainId: string;
            /**
             * @description Whether `couponRateBps` is only the most that backers can get: in an auction, until the close fixes the rate.
             * @example false
             */
            couponIsMaximum: boolean;
            /**
             * @description Rate at which an auction would close now; null for a fixed rate, once the rate is fixed or the raise has ended, below the minimum, with more than 2,000 bids and withdrawals, and where the contract does not tell the rates of bids. Basis points, 10000 = 100%.
             * @example 1450
             */
            indicativeRateBps: number | null;
            /**
             * @description Whether backers can subscribe now: `listed` or `funding`.
             * @example true
             */
            acceptsMoney: boolean;
            /**
             * @description Amount at `closeAt` if money keeps coming at the average pace since the raise opened, at most the target or what is already committed; null unless it is open, has a closing time and has been open for 24 hours. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            projectedAmount: string | null;
            /**
             * Format: date-time
             * @description When the status began. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            statusSince: string;
            /**
             * @description Every refund, whatever the reason: `withdrawnAmount` and `returnedAmount`. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            refundedAmount: string;
            /**
             * @description Refunds other than `returnedAmount`: withdrawn before the close, or outbid in an auction. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            withdrawnAmount: string;
            /**
             * @description Commitments refunded after the close, as when a raise fails; at most `raisedAmount`. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            returnedAmount: string;
            /**
             * @description Amount that backers can still claim from a raise that returns money; 0 once fully refunded, and in every other status. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            refundableAmount: string;
            /**
             * @description Principal lent: what the originator drew, fee included; 0 before the drawdown. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            drawnAmount: string;
            /**
             * @description Principal and interest repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidAmount: string;
            /**
             * @description Principal drawn and not yet repaid; 0 before the drawdown and once settled. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingPrincipal: string;
            /**
             * @description Principal that was never paid; 0 until the raise is settled. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOffAmount: string;
            /**
             * Format: date-time
             * @description When the originator drew the money. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            drawnDownAt: string | null;
            /**
             * Format: date-time
             * @description When the principal is due. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            maturityAt: string | null;
            /**
             * @description `current` until maturity, `grace` to 7 days past it, `late` to 90, `default` beyond; `repaid` or `written_off` once settled.
             * @example current
             * @enum {string}
             */
            repayment: "not_drawn" | "current" | "grace" | "late" | "default" | "repaid" | "written_off";
            /**
             * @description How the raise ended, as settled on the chain; null until then.
             * @example null
             * @enum {string|null}
             */
            outcome: "repaid" | "repaid_with_reserve" | "defaulted" | "unknown" | null;
            /**
             * @description Public id of the originator.
             * @example org_northwind
             */
            originator: string;
            /**
             * @description Whether the address that created the raise on the chain is one of the originator's published addresses.
             * @example true
             */
            originatorVerified: boolean;
            /**
             * @description Whether the contract tells which address created the raise. If not, `originatorVerified` is false and contradicts nothing.
             * @example true
             */
            originatorOnChain: boolean;
            /**
             * Format: uri
             * @description Public page of the listing
             * @example https://raises.example/listings/lst_bakery
             */
            url: string;
            /**
             * Format: uri
             * @description Where a person goes to sign; null = no app is configured
             * @example https://raises.example/listings/lst_bakery
             */
            appUrl: string | null;
            /**
             * @description Whether title and description are those that the chain commits to (keccak256 of their RFC 8785 canonical JSON).
             * @example true
             */
            metadataVerified: boolean;
            /**
             * @description Whether the contract commits to a text. If not, `metadataVerified` is false and contradicts nothing.
             * @example true
             */
            metadataOnChain: boolean;
            finality: components["schemas"]["Finality"];
            /**
             * @description Source of the terms: the contract, or the operator's registry where the contract gives none.
             * @example chain
             * @enum {string}
             */
            termsFrom: "chain" | "registry";
            /**
             * @description Updates of the terms that took effect since the creation
             * @example 0
             */
            termsUpdates: number;
            /**
             * Format: date-time
             * @description Block time of the last update of the terms; null = never updated. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            termsUpdatedAt: string | null;
            /**
             * Format: date-time
             * @description Block time of the last event of the raise, without those of the desk; null = no event yet. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            updatedAt: string | null;
            /**
             * @description Block of that event. Decimal string.
             * @example 1
             */
            updatedBlock: string | null;
        };
        /**
         * @description Lifecycle state. `listed` and `funding` accept money, `live` is repaying, `matured` is finished; `refunding`, `voided` and `cancelled` return money.
         * @example funding
         * @enum {string}
         */
        ListingStatus: "listed" | "funding" | "live" | "matured" | "refunding" | "voided" | "cancelled";
        /**
         * @description `A` (best) to `E`, computed from the originator's record; `NR` when not yet rated.
         * @example B
         * @enum {string}
         */
        Grade: "A" | "B" | "C" | "D" | "E" | "NR";
        /**
         * @description `pending` while a reorg can still take back the (last) event, then `final`.
         * @example final
         * @enum {string}
         */
        Finality: "pending" | "final";
        /** @description The secondary desk in one object. Windows end at the last indexed block. */
        Trading: {
            /**
             * @description Whether a desk is indexed.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The desk; null without one. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            deskAddress: string | null;
            /**
             * @description Open offers: with a remainder, not expired, of a live listing
             * @example 12
             */
            openOffers: number;
            /**
             * @description Tokens on offer. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            openAmount: string | null;
            /**
             * @description Asking total of the open offers. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            openNotional: string | null;
            /**
             * @description Lowest open price, of par. Basis points, 10000 = 100%.
             * @example 9650
             */
            bestAskBps: number | null;
            /**
             * @description Fills between two parties in 24 hours
             * @example 12
             */
            trades24h: number;
            /**
             * @description Fills between two parties in 30 days
             * @example 12
             */
            trades30d: number;
            /**
             * @description Fills between two parties so far
             * @example 12
             */
            tradesTotal: number;
            /**
             * @description Tokens traded in 24 hours. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            volume24h: string | null;
            /**
             * @description Tokens traded in 30 days. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            volume30d: string | null;
            /**
             * @description Tokens traded so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            volumeTotal: string | null;
            /**
             * @description Fills in which seller and buyer are one; counted nowhere else
             * @example 12
             */
            selfTrades: number;
            /**
             * @description Average price of 30 days, weighted by volume, of par. Basis points, 10000 = 100%.
             * @example 9650
             */
            vwap30dBps: number | null;
            /**
             * @description Sellers in 30 days
             * @example 12
             */
            sellers30d: number;
            /**
             * @description Buyers in 30 days
             * @example 12
             */
            buyers30d: number;
            /** @description The last fill between two parties. */
            lastTrade: {
                /**
                 * @description Public id of the listing.
                 * @example lst_bakery
                 */
                publicId: string;
                /**
                 * @description Its reference number. Letters and a five-digit counter, unless the contract has another text.
                 * @example RB00042
                 */
                refnum: string;
                /**
                 * @description Price, of par. Basis points, 10000 = 100%.
                 * @example 9650
                 */
                priceBps: number;
                /**
                 * @description Tokens traded. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                amount: string;
                /**
                 * @description Dollars paid. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                cost: string;
                /**
                 * Format: date-time
                 * @description Block time of the fill. ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00Z
                 */
                at: string;
                /**
                 * @description Transaction. 32 bytes, lowercase hex.
                 * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
                 */
                txHash: string;
            } | null;
            /** @description Visible listings whose token can change hands or that the desk has seen, newest first. One that has ended leaves them 30 days after its last trade; the totals keep its trades. */
            listings: {
                /**
                 * @description Public id of the listing.
                 * @example lst_bakery
                 */
                publicId: string;
                /**
                 * @description Its reference number. Letters and a five-digit counter, unless the contract has another text.
                 * @example RB00042
                 */
                refnum: string;
                /**
                 * @description Open offers
                 * @example 12
                 */
                openOffers: number;
                /**
                 * @description Tokens on offer. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                openAmount: string;
                /**
                 * @description Lowest open price, of par. Basis points, 10000 = 100%.
                 * @example 9650
                 */
                bestAskBps: number | null;
                /**
                 * @description Price of the last fill, of par. Basis points, 10000 = 100%.
                 * @example 9650
                 */
                lastPriceBps: number | null;
                /**
                 * @description Tokens traded in 30 days. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                volume30d: string;
                /**
                 * @description Fills so far
                 * @example 12
                 */
                tradesTotal: number;
                /**
                 * @description Holders of the token; null when not counted
                 * @example 12
                 */
                holderCount: number | null;
                /**
                 * @description Whole days to maturity; null before the drawdown and once the raise has ended
                 * @example 12
                 */
                remainingDays: number | null;
                /**
                 * @description Principal and interest still to be paid for a token, of par: what is due less what was paid; null before the drawdown and once the raise has ended. Basis points, 10000 = 100%.
                 * @example 1450
                 */
                remainingPerTokenBps: number | null;
                /**
                 * @description Simple yield to maturity of a buyer at the best ask, who receives `remainingPerTokenBps`; negative at a price above it, null without an offer or a day left. Basis points, 10000 = 100%.
                 * @example 1450
                 */
                yieldToMaturityBps: number | null;
                /**
                 * @description Share of par that the reserve would pay for a token if nothing more were repaid; null before the drawdown and once the raise has ended. Basis points, 10000 = 100%.
                 * @example 800
                 */
                reservePerTokenBps: number | null;
                /**
                 * @description Return of a buyer at the best ask if nothing more is repaid and only the reserve pays: of the price, not per year; -10000 = all is lost, null without an offer. Basis points, 10000 = 100%.
                 * @example -9157
                 */
                returnInDefaultBps: number | null;
            }[];
        };
        /** @description Position of the next page. */
        Page: {
            /**
             * @description The `cursor` of the next page; null when there is none.
             * @example MTIwLjM
             */
            nextCursor: string | null;
        };
        /** @description An error, RFC 9457. */
        Problem: {
            /**
             * @description `about:blank`: the kind of problem is the status, the problem itself the `code`.
             * @example about:blank
             */
            type: string;
            /**
             * @description The status in words.
             * @example Not Found
             */
            title: string;
            /**
             * @description The HTTP status.
             * @example 404
             */
            status: number;
            /**
             * @description What was wrong with this request.
             * @example No visible listing has the public id or refnum "lst_nowhere".
             */
            detail: string;
            /**
             * @description The requested path.
             * @example /v1/listings/lst_nowhere
             */
            instance: string;
            /**
             * @description The error, for programs.
             * @example not_found
             * @enum {string}
             */
            code: "invalid_parameter" | "not_found" | "method_not_allowed" | "not_acceptable" | "not_final" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "range_not_satisfiable" | "too_many_requests" | "internal_error" | "not_indexed_yet" | "backfilling" | "reorganising" | "database_silent" | "chain_silent" | "proof_unavailable" | "timed_out" | "busy" | "not_ready";
            /**
             * @description The `X-Request-Id` of the answer.
             * @example 0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11
             */
            requestId: string;
            /** @description For an `invalid_parameter`: each parameter, what is wrong with it, and what is allowed. */
            errors?: {
                parameter: string;
                detail: string;
                allowed: string[];
            }[];
        };
        /** @description The repayment schedule of a raise, with the payments so far. */
        Schedule: {
            /**
             * @description Whether no money has been drawn: the figures then assume the amount raised so far, and are 0 once none can be drawn any more.
             * @example false
             */
            estimated: boolean;
            /**
             * Format: date-time
             * @description When principal and interest are due, or would be. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            maturityAt: string;
            /**
             * @description Principal due. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            principal: string;
            /**
             * @description Interest due: principal × coupon × tenor / 365 days, rounded down. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            interest: string;
            /**
             * @description In an auction that has not closed, the interest due if it closed now: at `indicativeRateBps`, on what it would accept; null without that rate. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            indicativeInterest: string | null;
            /**
             * @description Principal and interest due. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            total: string;
            /**
             * @description Principal paid so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            paidPrincipal: string;
            /**
             * @description Interest paid so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            paidInterest: string;
            /**
             * @description Principal drawn and not yet repaid; 0 once settled. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingPrincipal: string;
            /** @description Every repayment, oldest first. */
            payments: {
                /**
                 * Format: date-time
                 * @description Block time of the payment. ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00Z
                 */
                at: string;
                /**
                 * @description Principal paid. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                principal: string;
                /**
                 * @description Interest paid. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                interest: string;
                /**
                 * @description Transaction. 32 bytes, lowercase hex.
                 * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
                 */
                txHash: string;
            }[];
        };
        Originators: {
            /** @description By public id. */
            originators: components["schemas"]["Originator"][];
            page?: components["schemas"]["Page"];
        };
        /** @description A business that has published a listing. */
        Originator: {
            /**
             * @description Public identifier.
             * @example org_northwind
             */
            publicId: string;
            /**
             * @description Legal name of the business: untrusted text.
             * @example Northwind Bakery Pte. Ltd.
             */
            legalName: string;
            /**
             * @description ISO 3166-1 alpha-2 country of incorporation.
             * @example SG
             */
            jurisdiction: string;
            ratingGrade: components["schemas"]["Grade"];
            /**
             * @description Business-verification status.
             * @example approved
             * @enum {string}
             */
            kybStatus: "not_started" | "submitted" | "in_review" | "approved" | "rejected" | "expired";
            rating: components["schemas"]["Rating"];
            /** @description The originator's visible listings. */
            listings: components["schemas"]["Listing"][];
        };
        /** @description The figures behind the grade. */
        Rating: {
            /**
             * @description Version of the method.
             * @enum {string}
             */
            method: "v1";
            /**
             * @description Resolved raises of at least 1,000 dollars
             * @example 12
             */
            n: number;
            /**
             * @description Principal of the resolved raises. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            volume: string;
            /**
             * @description Unpaid principal per volume; null for NR. Basis points, 10000 = 100%.
             * @example 1450
             */
            lossBps: number | null;
            /**
             * @description Principal of raises that ended, or are still unpaid, more than 30 days late or that needed the reserve, per volume; null for NR. Basis points, 10000 = 100%.
             * @example 1450
             */
            lateBps: number | null;
            /**
             * @description Risk, with a short record pulled towards the mean; null for NR. Basis points, 10000 = 100%.
             * @example 1450
             */
            adjustedBps: number | null;
            /**
             * @description The best possible grade after a recent failure; null = no cap.
             * @example null
             * @enum {string|null}
             */
            cap: "C" | "D" | "E" | null;
            byDaysLate: components["schemas"]["ByDaysLate"];
        };
        /** @description Raises that are repaid, due or settled, by the days from the due date to the repayment of the principal. A business that was never late has all of them in `onTime`. */
        ByDaysLate: {
            /**
             * @description Raises repaid by their due date
             * @example 12
             */
            onTime: number;
            /**
             * @description Raises repaid up to 7 days after it, or owed for as long by now
             * @example 12
             */
            upTo7: number;
            /**
             * @description The same, up to 30 days
             * @example 12
             */
            upTo30: number;
            /**
             * @description The same, up to 90 days
             * @example 12
             */
            upTo90: number;
            /**
             * @description The same, later
             * @example 12
             */
            over90: number;
            /**
             * @description Raises that were settled with principal unpaid
             * @example 12
             */
            writtenOff: number;
        };
        /** @description The visible listings in figures. */
        Stats: {
            /** @description Number of visible listings by state. */
            byStatus: {
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                listed: number;
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                funding: number;
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                live: number;
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                matured: number;
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                refunding: number;
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                voided: number;
                /**
                 * @description Listings in this state
                 * @example 12
                 */
                cancelled: number;
            };
            /**
             * @description Committed to all listings, those included whose money was returned. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            raised: string;
            /**
             * @description Principal lent: drawn by the originators. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            lent: string;
            /**
             * @description Refunded, whatever the reason: `withdrawn` and `returned`. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            refunded: string;
            /**
             * @description Withdrawn before the close, or outbid in an auction. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            withdrawn: string;
            /**
             * @description Commitments returned after a raise failed. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            returned: string;
            /**
             * @description What backers can still claim from raises that return money. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            refundable: string;
            /**
             * @description Principal and interest repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaid: string;
            /**
             * @description Principal drawn and not yet repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstanding: string;
            /**
             * @description Reserves held. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reserves: string;
            /**
             * @description Backings: a backer counts once in each raise
             * @example 12
             */
            subscribers: number;
            /** @description The outstanding principal by the state of its repayment. */
            outstandingByRepayment: {
                current: components["schemas"]["OutstandingShare"];
                grace: components["schemas"]["OutstandingShare"];
                late: components["schemas"]["OutstandingShare"];
                default: components["schemas"]["OutstandingShare"];
            };
            /**
             * @description Principal written off, over the settled raises. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOff: string;
            /**
             * @description Principal written off per principal drawn, over the settled raises; null while none is. It says nothing of raises that are in default now. Basis points, 10000 = 100%.
             * @example 1450
             */
            defaultRateBps: number | null;
            /**
             * @description Share of the outstanding principal that is in default now, more than 90 days overdue; null when none is outstanding. Basis points, 10000 = 100%.
             * @example 1450
             */
            outstandingInDefaultBps: number | null;
            /**
             * @description Average coupon of the raises that were drawn, weighted by the principal drawn, rounded down; null while none is. Basis points, 10000 = 100%.
             * @example 1450
             */
            averageCouponBps: number | null;
            /**
             * @description Raises whose subscription has ended with a decision: those that lend or have lent, and those that failed at their minimum; without cancelled and voided ones
             * @example 12
             */
            decided: number;
            /**
             * @description Share of the decided raises that reached their minimum, rounded down; null while none is decided. Basis points, 10000 = 100%.
             * @example 1450
             */
            minimumReachedBps: number | null;
            /**
             * @description Average time from the opening to the close of the raises that reached their minimum (`live` and `matured`), in hours, rounded down; null while there is none
             * @example 312
             */
            averageHoursToFund: number | null;
        };
        /** @description Outstanding principal in one state of repayment. */
        OutstandingShare: {
            /**
             * @description Outstanding principal. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Share of all outstanding principal, rounded down; null when none is outstanding. Basis points, 10000 = 100%.
             * @example 1450
             */
            shareBps: number | null;
            /**
             * @description Raises that owe it
             * @example 12
             */
            listings: number;
        };
        /** @description The market over time. */
        Series: {
            /**
             * @description Length of the periods.
             * @example month
             * @enum {string}
             */
            by: "day" | "week" | "month" | "quarter";
            /** @description The periods without a gap, oldest first; at most 1,000. */
            points: components["schemas"]["SeriesPoint"][];
        };
        /** @description What happened in one period, and what stood at its end. Of the raises that are visible now. */
        SeriesPoint: {
            /**
             * @description The period: `2026-03-01`, `2026-W09` (ISO 8601), `2026-03` or `2026-Q1`.
             * @example 2026-03
             */
            period: string;
            /**
             * Format: date-time
             * @description Its first second. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            start: string;
            /**
             * Format: date-time
             * @description The start of the next one, or the last indexed block's time in a period that is not over. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            end: string;
            /**
             * @description Whether the period is over; if not, its figures still change.
             * @example true
             */
            isOver: boolean;
            /**
             * @description Raises that opened for subscriptions
             * @example 12
             */
            opened: number;
            /**
             * @description Raises whose subscription ended, for whatever reason
             * @example 12
             */
            closed: number;
            /**
             * @description Those of them that had reached their minimum
             * @example 12
             */
            reachedMinimum: number;
            /**
             * @description Median time from the opening to the close of those that had reached their minimum, in hours, rounded down; null for none
             * @example 288
             */
            medianHoursToFund: number | null;
            /**
             * @description Committed by backers, higher amounts told by the contract included. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            committed: string;
            /**
             * @description Taken back before the close, or outbid in an auction. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            withdrawn: string;
            /**
             * @description Principal lent: drawn by the originators. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            lent: string;
            /**
             * @description Average coupon of that principal, weighted by it, rounded down; null for none. Basis points, 10000 = 100%.
             * @example 1450
             */
            averageCouponBps: number | null;
            /**
             * @description Principal repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidPrincipal: string;
            /**
             * @description Interest repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidInterest: string;
            /**
             * @description Principal written off. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOff: string;
            /**
             * @description Added to reserves. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reservesPosted: string;
            /**
             * @description Taken from reserves to pay backers. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reservesUsed: string;
            /**
             * @description Given back to the originators from reserves. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reservesReleased: string;
            /**
             * @description Offers made on the secondary desk
             * @example 12
             */
            offers: number;
            /**
             * @description Trades on the secondary desk, without those with oneself
             * @example 12
             */
            trades: number;
            /**
             * @description Tokens traded, at par. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            traded: string;
            /**
             * @description Average price of the trades, weighted by amount, rounded down; null for none, of par. Basis points, 10000 = 100%.
             * @example 9650
             */
            averagePriceBps: number | null;
            /**
             * @description At the end: committed so far, as `raised` of the statistics. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            raisedTotal: string;
            /**
             * @description At the end: lent so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            lentTotal: string;
            /**
             * @description At the end: principal and interest repaid so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidTotal: string;
            /**
             * @description At the end: written off so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOffTotal: string;
            /**
             * @description At the end: reserves held. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reserves: string;
            /**
             * @description At the end: principal lent and not yet repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstanding: string;
            /**
             * @description At the end: the part that is not due yet. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingCurrent: string;
            /**
             * @description At the end: the part up to 7 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingGrace: string;
            /**
             * @description At the end: the part more than 7 and up to 90 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingLate: string;
            /**
             * @description At the end: the part more than 90 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingInDefault: string;
        };
        /** @description The loans of the visible raises by cohort. */
        Cohorts: {
            /**
             * @description What the loans of a cohort have in common.
             * @example quarter
             * @enum {string}
             */
            by: "month" | "quarter" | "year" | "grade" | "originator" | "country";
            /** @description By time, grade or country; businesses by the amount lent, the largest first, at most 200. */
            cohorts: components["schemas"]["Cohort"][];
        };
        /** @description Loans that have something in common, and what became of them. */
        Cohort: {
            /**
             * @description What the loans have in common: the month, quarter or year of the drawdown, the grade on that day, the public id of the business, or its country.
             * @example 2025-Q3
             */
            cohort: string;
            /**
             * @description Loans
             * @example 12
             */
            loans: number;
            /**
             * @description Principal lent. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            lent: string;
            /**
             * @description Principal and interest due by now, by the terms. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            due: string;
            /**
             * @description Principal repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidPrincipal: string;
            /**
             * @description Interest repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidInterest: string;
            /**
             * @description Principal written off. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOff: string;
            /**
             * @description Principal lent and not yet repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstanding: string;
            /**
             * @description The part of it that is not due yet. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingCurrent: string;
            /**
             * @description The part up to 7 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingGrace: string;
            /**
             * @description The part more than 7 and up to 90 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingLate: string;
            /**
             * @description The part more than 90 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingInDefault: string;
            /**
             * @description Share of the principal lent that is written off or in default, rounded down; null if nothing was lent. Basis points, 10000 = 100%.
             * @example 250
             */
            defaultedBps: number | null;
            /**
             * @description Loans that were paid off or settled
             * @example 12
             */
            ended: number;
            /**
             * @description Yearly return of the ended loans if each had paid everything on its due date; null for none. Basis points, 10000 = 100%.
             * @example 1450
             */
            expectedReturnBps: number | null;
            /**
             * @description Yearly return that backers really earned on the ended loans; −10000 if nothing was paid, null for none. Basis points, 10000 = 100%.
             * @example 1390
             */
            realisedReturnBps: number | null;
            /** @description By months since the drawdown, up to the last change. */
            curve: components["schemas"]["CohortMonth"][];
        };
        /** @description What had become of the loans of a cohort by the end of a month of their lives, or by now. */
        CohortMonth: {
            /**
             * @description Calendar months since the month of the drawdown, which is 0
             * @example 6
             */
            month: number;
            /**
             * @description Loans that are at least this old: the figures of this point are theirs
             * @example 12
             */
            loans: number;
            /**
             * @description Principal lent. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            lent: string;
            /**
             * @description Principal and interest due by the end of the month, by the terms. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            due: string;
            /**
             * @description Principal repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidPrincipal: string;
            /**
             * @description Interest repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            repaidInterest: string;
            /**
             * @description Principal written off. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOff: string;
            /**
             * @description Principal lent and not yet repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstanding: string;
            /**
             * @description The part of it that is not due yet. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingCurrent: string;
            /**
             * @description The part up to 7 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingGrace: string;
            /**
             * @description The part more than 7 and up to 90 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingLate: string;
            /**
             * @description The part more than 90 days overdue. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingInDefault: string;
            /**
             * @description Share of the principal lent that is written off or in default, rounded down; null if nothing was lent. Basis points, 10000 = 100%.
             * @example 250
             */
            defaultedBps: number | null;
        };
        /** @description A page of the ledger. */
        LedgerPage: {
            /** @description Newest first. */
            events: components["schemas"]["LedgerEvent"][];
            page: components["schemas"]["Page"];
        };
        /** @description One event of the chain. */
        LedgerEvent: components["schemas"]["ListingCreatedEvent"] | components["schemas"]["ListingTermsUpdatedEvent"] | components["schemas"]["SubscribedEvent"] | components["schemas"]["RefundedEvent"] | components["schemas"]["ReserveChangedEvent"] | components["schemas"]["ListingClosedEvent"] | components["schemas"]["DrawnDownEvent"] | components["schemas"]["RepaidEvent"] | components["schemas"]["PayoutClaimedEvent"] | components["schemas"]["ListingSettledEvent"] | components["schemas"]["ListingCancelledEvent"] | components["schemas"]["ListingVoidedEvent"] | components["schemas"]["UnmappedEvent"] | components["schemas"]["OfferCreatedEvent"] | components["schemas"]["OfferFilledEvent"] | components["schemas"]["OfferCancelledEvent"];
        /**
         * @example {
         *       "kind": "listing_created",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "originatorAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "tokenAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "targetAmount": "1250500000000000000000",
         *       "minRaise": "1250500000000000000000",
         *       "couponRateBps": 1450,
         *       "insuranceBps": 1450,
         *       "tenorDays": 12,
         *       "pricingMode": "fixed",
         *       "goLiveAt": "2026-03-01T12:00:00Z",
         *       "closeAt": "2026-03-01T12:00:00Z",
         *       "metadataHash": "0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a"
         *     }
         */
        ListingCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "listing_created";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Address that created the raise on the chain. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            originatorAddress: string | null;
            /**
             * @description The listing's ERC-20 token. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            tokenAddress: string | null;
            /**
             * @description Amount sought. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            targetAmount: string | null;
            /**
             * @description Minimum to raise; below it at the close, every backer is refunded. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            minRaise: string | null;
            /**
             * @description Cost of funds per annum; in an auction the highest accepted. Basis points, 10000 = 100%.
             * @example 1450
             */
            couponRateBps: number | null;
            /**
             * @description Reserve that the originator posts, as a share of the target. Basis points, 10000 = 100%.
             * @example 1450
             */
            insuranceBps: number | null;
            /**
             * @description Term in days from the drawdown
             * @example 12
             */
            tenorDays: number | null;
            /**
             * @description How the coupon is set: fixed, auction, or `unknown_<number>` for a number that the contracts' interface does not define.
             * @example fixed
             */
            pricingMode: string | null;
            /**
             * Format: date-time
             * @description When the raise opens. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            goLiveAt: string | null;
            /**
             * Format: date-time
             * @description When the raise closes; null = no closing time, or the event does not tell it. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            closeAt: string | null;
            /**
             * @description Hash of title and description on the chain: keccak256 of their RFC 8785 canonical JSON. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            metadataHash: string | null;
        };
        /**
         * @example {
         *       "kind": "listing_terms_updated",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "targetAmount": "1250500000000000000000",
         *       "minRaise": "1250500000000000000000",
         *       "couponRateBps": 1450,
         *       "insuranceBps": 1450,
         *       "tenorDays": 12,
         *       "pricingMode": "fixed",
         *       "goLiveAt": "2026-03-01T12:00:00Z",
         *       "closeAt": "2026-03-01T12:00:00Z",
         *       "metadataHash": "0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a"
         *     }
         */
        ListingTermsUpdatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "listing_terms_updated";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Amount sought. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            targetAmount: string | null;
            /**
             * @description Minimum to raise; below it at the close, every backer is refunded. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            minRaise: string | null;
            /**
             * @description Cost of funds per annum; in an auction the highest accepted. Basis points, 10000 = 100%.
             * @example 1450
             */
            couponRateBps: number | null;
            /**
             * @description Reserve that the originator posts, as a share of the target. Basis points, 10000 = 100%.
             * @example 1450
             */
            insuranceBps: number | null;
            /**
             * @description Term in days from the drawdown
             * @example 12
             */
            tenorDays: number | null;
            /**
             * @description How the coupon is set: fixed, auction, or `unknown_<number>` for a number that the contracts' interface does not define.
             * @example fixed
             */
            pricingMode: string | null;
            /**
             * Format: date-time
             * @description When the raise opens. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            goLiveAt: string | null;
            /**
             * Format: date-time
             * @description When the raise closes; null = no closing time, or the event does not tell it. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            closeAt: string | null;
            /**
             * @description Hash of title and description on the chain: keccak256 of their RFC 8785 canonical JSON. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            metadataHash: string | null;
        };
        /**
         * @example {
         *       "kind": "subscribed",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "amount": "1250500000000000000000",
         *       "bidRateBps": 1450,
         *       "totalRaised": "1250500000000000000000"
         *     }
         */
        SubscribedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "subscribed";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Backer whose position grows. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            backer?: string;
            /**
             * @description Who paid. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            payer?: string | null;
            /**
             * @description Subscribed. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Rate bid in an auction; 0 in a fixed raise. Basis points, 10000 = 100%.
             * @example 1450
             */
            bidRateBps: number;
            /**
             * @description Total raised after the event. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            totalRaised: string | null;
        };
        /**
         * @example {
         *       "kind": "refunded",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "reason": "withdrawn",
         *       "amount": "1250500000000000000000",
         *       "totalRefunded": "1250500000000000000000"
         *     }
         */
        RefundedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "refunded";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Who gets the money back. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            backer?: string;
            /**
             * @description Why: withdrawn, outbid, min_not_met, cancelled, voided, or `unknown_<number>` for a number that the contracts' interface does not define.
             * @example withdrawn
             */
            reason: string | null;
            /**
             * @description Paid back. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Every refund of the listing so far, whatever the reason. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            totalRefunded: string | null;
        };
        /**
         * @example {
         *       "kind": "reserve_changed",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "reason": "posted",
         *       "amount": "1250500000000000000000",
         *       "reserveBalance": "1250500000000000000000"
         *     }
         */
        ReserveChangedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "reserve_changed";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description What happened to the reserve: posted, applied, released, or `unknown_<number>` for a number that the contracts' interface does not define.
             * @example posted
             */
            reason: string | null;
            /**
             * @description Who posted it or got it back. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            account?: string | null;
            /**
             * @description Amount of the change. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Reserve held, after the event. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reserveBalance: string | null;
        };
        /**
         * @example {
         *       "kind": "listing_closed",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "reason": "filled",
         *       "raisedAmount": "1250500000000000000000",
         *       "minRaiseMet": true,
         *       "couponRateBps": 1450
         *     }
         */
        ListingClosedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "listing_closed";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Why the raise closed: filled, deadline, manual, or `unknown_<number>` for a number that the contracts' interface does not define.
             * @example filled
             */
            reason: string | null;
            /**
             * @description Total raised. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            raisedAmount: string | null;
            /**
             * @description Whether the contract saw the minimum met.
             * @example true
             */
            minRaiseMet: boolean | null;
            /**
             * @description Coupon from now on; in an auction the clearing rate. Basis points, 10000 = 100%.
             * @example 1450
             */
            couponRateBps: number | null;
        };
        /**
         * @example {
         *       "kind": "drawn_down",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "amount": "1250500000000000000000",
         *       "fee": "1250500000000000000000",
         *       "maturityAt": "2026-03-01T12:00:00Z"
         *     }
         */
        DrawnDownEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "drawn_down";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Who received the money. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            to?: string | null;
            /**
             * @description Principal owed from now on, including the fee. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Fee deducted from it. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            fee: string;
            /**
             * Format: date-time
             * @description When the principal is due. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            maturityAt: string | null;
        };
        /**
         * @example {
         *       "kind": "repaid",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "principal": "1250500000000000000000",
         *       "interest": "1250500000000000000000",
         *       "outstandingPrincipal": "1250500000000000000000"
         *     }
         */
        RepaidEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "repaid";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Who paid. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            payer?: string | null;
            /**
             * @description Principal repaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            principal: string | null;
            /**
             * @description Interest paid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            interest: string | null;
            /**
             * @description Principal still owed, after the event. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingPrincipal: string | null;
            /**
             * @description Paid in all, where the contract does not tell principal and interest apart. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            paidAmount?: string | null;
        };
        /**
         * @example {
         *       "kind": "payout_claimed",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "amount": "1250500000000000000000",
         *       "totalClaimed": "1250500000000000000000"
         *     }
         */
        PayoutClaimedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "payout_claimed";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Who claimed. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            holder?: string;
            /**
             * @description Paid out. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Every payout of the listing so far. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            totalClaimed: string | null;
        };
        /**
         * @example {
         *       "kind": "listing_settled",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "outcome": "repaid",
         *       "writtenOffPrincipal": "1250500000000000000000"
         *     }
         */
        ListingSettledEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "listing_settled";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description How the raise ended: repaid, repaid_with_reserve, defaulted, or `unknown_<number>` for a number that the contracts' interface does not define.
             * @example repaid
             */
            outcome: string | null;
            /**
             * @description Principal left unpaid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            writtenOffPrincipal: string | null;
        };
        /**
         * @example {
         *       "kind": "listing_cancelled",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "reason": "0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a"
         *     }
         */
        ListingCancelledEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "listing_cancelled";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Code of the reason, as the contract gave it: usually text in UTF-8, with zero bytes after it. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            reason: string | null;
        };
        /**
         * @example {
         *       "kind": "listing_voided",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "reason": "0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a"
         *     }
         */
        ListingVoidedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "listing_voided";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Code of the reason, as the contract gave it: usually text in UTF-8, with zero bytes after it. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            reason: string | null;
        };
        /**
         * @example {
         *       "kind": "unmapped",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "logName": "Deposited"
         *     }
         */
        UnmappedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "unmapped";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description Name of the contract's event.
             * @example Deposited
             */
            logName: string;
        };
        /**
         * @example {
         *       "kind": "offer_created",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "deskAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "offerId": "1",
         *       "tokenAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "amount": "1250500000000000000000",
         *       "priceBps": 1450,
         *       "expiresAt": "2026-03-01T12:00:00Z"
         *     }
         */
        OfferCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "offer_created";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description The secondary desk. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            deskAddress: string;
            /**
             * @description Id of the offer within the desk. Decimal string.
             * @example 1
             */
            offerId: string;
            /**
             * @description The token on offer. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            tokenAddress: string | null;
            /**
             * @description Who offers. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            seller?: string;
            /**
             * @description Tokens on offer. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Asking price, of par; 2^53 - 1 stands for anything above. Basis points, 10000 = 100%.
             * @example 1450
             */
            priceBps: number;
            /**
             * Format: date-time
             * @description When the offer ends. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            expiresAt: string;
        };
        /**
         * @example {
         *       "kind": "offer_filled",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "deskAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "offerId": "1",
         *       "tokenAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "amount": "1250500000000000000000",
         *       "cost": "1250500000000000000000",
         *       "remaining": "1250500000000000000000"
         *     }
         */
        OfferFilledEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "offer_filled";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description The secondary desk. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            deskAddress: string;
            /**
             * @description Id of the offer within the desk. Decimal string.
             * @example 1
             */
            offerId: string;
            /**
             * @description The token on offer. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            tokenAddress: string | null;
            /**
             * @description Who bought. Only if the service publishes the addresses of persons. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            buyer?: string;
            /**
             * @description Tokens bought. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
            /**
             * @description Dollars paid. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            cost: string;
            /**
             * @description Tokens still on offer. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            remaining: string | null;
        };
        /**
         * @example {
         *       "kind": "offer_cancelled",
         *       "publicId": "lst_bakery",
         *       "refnum": "RB00042",
         *       "blockNumber": "1",
         *       "blockTime": "2026-03-01T12:00:00Z",
         *       "logIndex": 3,
         *       "txHash": "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
         *       "finality": "final",
         *       "deskAddress": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
         *       "offerId": "1",
         *       "remaining": "1250500000000000000000"
         *     }
         */
        OfferCancelledEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "offer_cancelled";
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Reference number of the listing. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /**
             * @description The secondary desk. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            deskAddress: string;
            /**
             * @description Id of the offer within the desk. Decimal string.
             * @example 1
             */
            offerId: string;
            /**
             * @description Tokens that were still on offer. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            remaining: string | null;
        };
        /** @description That the contract emitted this event in this block. Like the chain, it names the addresses in the event. */
        EventProof: {
            event: components["schemas"]["LedgerEvent"];
            /** @description The block of the event. */
            block: {
                /**
                 * @description Number of the event's block. Decimal string.
                 * @example 1
                 */
                number: string;
                /**
                 * @description Its hash, the one thing to look up elsewhere. 32 bytes, lowercase hex.
                 * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
                 */
                hash: string;
                /**
                 * Format: date-time
                 * @description Its time. ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00Z
                 */
                timestamp: string;
            };
            /**
             * @description The block's header in RLP: its keccak256 is the block's hash. Bytes, lowercase hex.
             * @example 0xf90261
             */
            header: string;
            /**
             * @description Place of the transaction in its block; its RLP is the key in the trie.
             * @example 0
             */
            transactionIndex: number;
            /** @description From the root, which is the header's `receiptsRoot`, to the receipt. */
            path: string[];
            /**
             * @description The transaction's receipt as the trie holds it, the byte of its type included. Bytes, lowercase hex.
             * @example 0xf90261
             */
            receipt: string;
            /**
             * @description Place of the log among those of its receipt.
             * @example 0
             */
            logInReceipt: number;
            /** @description The log as the chain has it; decoded, it is the event. */
            log: {
                /**
                 * @description The contract that emitted it. Lowercase hex.
                 * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
                 */
                address: string;
                /** @description The event's signature, and its indexed arguments. */
                topics: string[];
                /**
                 * @description Its other arguments. Bytes, lowercase hex.
                 * @example 0x
                 */
                data: string;
            };
            /** @description The event of the contract that decodes the log: its signature is the log's first topic. */
            abi: {
                /**
                 * @description As in every ABI.
                 * @example event
                 * @enum {string}
                 */
                type: "event";
                /**
                 * @description Name of the contract's event.
                 * @example Deposited
                 */
                name: string;
                /** @description Its arguments, in order. */
                inputs: components["schemas"]["AbiInput"][];
            };
            mapping: components["schemas"]["ProofMapping"];
        };
        /** @description An argument of a contract's event. */
        AbiInput: {
            /**
             * @description Its name; may be empty.
             * @example amount
             */
            name: string;
            /**
             * @description Its type.
             * @example uint256
             */
            type: string;
            /**
             * @description Whether it is a topic.
             * @example false
             */
            indexed?: boolean;
            /**
             * @description The members of a tuple, in the same form.
             * @example []
             */
            components?: {
                [key: string]: unknown;
            }[];
        };
        /** @description How a contracts module of the operator's makes the event of the log; null for the project's own contracts, whose interface says so. */
        ProofMapping: {
            /**
             * @description Decimals of the amounts in the log.
             * @example 6
             */
            decimals: number;
            /**
             * @description The argument that is the listing's id within its escrow; null where none is, as in an escrow with one raise.
             * @example raiseId
             */
            onchainId: string | null;
            /**
             * @description By field of `event`, the arguments of the log whose sum it is, those with a minus sign taken away; a member of a tuple is named by its path (`terms.goal`). Fields that the module makes in another way are left out.
             * @example {
             *       "amount": [
             *         "amount"
             *       ],
             *       "backer": [
             *         "investor"
             *       ]
             *     }
             */
            fields: {
                [key: string]: string[];
            };
        } | null;
        /** @description Where the totals of a listing come from. */
        ListingProof: {
            /**
             * @description Public id of the listing.
             * @example lst_bakery
             */
            publicId: string;
            /**
             * @description Its escrow. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            escrowAddress: string;
            /**
             * @description Its id within the escrow. Decimal string.
             * @example 1
             */
            onchainId: string;
            /** @description The last final block: events of later blocks are not in the figures. */
            asOf: {
                /**
                 * @description Number of the block. Decimal string.
                 * @example 1
                 */
                blockNumber: string;
                /**
                 * @description Its hash. 32 bytes, lowercase hex.
                 * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
                 */
                hash: string;
            };
            completeness: components["schemas"]["Completeness"];
            /** @description Each running total of the listing, by name. */
            totals: {
                raisedAmount: components["schemas"]["ProvenTotal"];
                refundedAmount: components["schemas"]["ProvenTotal"];
                reserveBalance: components["schemas"]["ProvenTotal"];
                outstandingPrincipal: components["schemas"]["ProvenTotal"];
                claimedAmount: components["schemas"]["ProvenTotal"];
                repaidAmount: components["schemas"]["ProvenTotal"];
            };
        };
        /** @description What is proven of the events of all listings to be complete; null where it is not known. */
        Completeness: {
            /**
             * @description Which blocks are proven to lack no log, by the root of their receipts: `events`, those with events; `possible`, also those whose headers say that they may have some; `none`.
             * @example events
             * @enum {string}
             */
            mode: "events" | "possible" | "none";
            /**
             * @description Block up to which all of them were looked at; decimal string, null before the first.
             * @example 48211004
             */
            provenBlock: string | null;
            /**
             * @description Blocks with events, up to there, that are proven; decimal string.
             * @example 1204
             */
            provenBlocks: string;
            /**
             * @description Blocks with events, up to there, that could not be proven: no RPC endpoint has what a proof needs; decimal string.
             * @example 0
             */
            unprovenBlocks: string;
            /**
             * @description Hosts of RPC endpoints that left logs out in the last ten minutes.
             * @example []
             */
            endpoints: string[];
        } | null;
        /** @description A figure, and the events that it follows from. */
        ProvenTotal: {
            /**
             * @description The figure. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            value: string;
            /**
             * @description The last event that carries the total; null where none does: `<blockNumber>-<logIndex>`, with `.<part>` for a later event of a log.
             * @example 120-3
             */
            source: string | null;
            /**
             * @description Field of that event that has the total; null where the event ends the figure, which is then 0: a settled raise owes nothing.
             * @example totalRaised
             */
            field: string | null;
            /** @description That event's proof; null without a source. */
            proof: components["schemas"]["EventProof"] | null;
            /** @description What other events add to the total of the source, or to nothing without one, oldest first: the sum is the value. Null where the value follows from no such sum; `unexplained` says why. */
            sumOf: {
                /**
                 * @description The event: `<blockNumber>-<logIndex>`, with `.<part>` for a later event of a log.
                 * @example 120-3
                 */
                source: string;
                /**
                 * @description Its field that has the amount.
                 * @example totalRaised
                 */
                field: string;
                /**
                 * @description Whether the amount is added or taken away.
                 * @example +
                 * @enum {string}
                 */
                sign: "+" | "-";
                /**
                 * @description What the event adds or takes away. Base units (18 decimals), decimal string.
                 * @example 1250500000000000000000
                 */
                amount: string;
            }[] | null;
            /**
             * @description Why `sumOf` is null: more than 1,000 events would have to be named, the events do not come to the value, or it follows from terms in the registry and from derived facts too. Null otherwise.
             * @example too_many_events
             * @enum {string|null}
             */
            unexplained: "too_many_events" | "no_such_sum" | "derived" | null;
            view: components["schemas"]["ProofView"];
        };
        /** @description The view of the contract that reports the figure, by the operator's contracts module. Null where there is none, and for the project's own contracts, whose interface has it. */
        ProofView: {
            /**
             * @description The function.
             * @example raised(uint256)
             */
            signature: string;
            /**
             * @description Its call for this listing. Bytes, lowercase hex.
             * @example 0x1a2b3c4d
             */
            data: string;
            /**
             * @description Decimals of its answer.
             * @example 6
             */
            decimals: number;
        } | null;
        /** @description The root of the whole book as of a final block. */
        BookRoot: {
            /**
             * @description Version of the trees; roots of different versions cannot be compared.
             * @example 1
             */
            version: number;
            /**
             * @description The final block that it is of. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * @description The last block up to it with an event; null before the first. Decimal string.
             * @example 1
             */
            changedBlock: string | null;
            /**
             * @description The root of the book: the same in two services exactly when both trees are. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            root: string;
            listings: components["schemas"]["BookTree"];
            ledger: components["schemas"]["BookTree"];
        };
        /** @description One of the two trees. */
        BookTree: {
            /**
             * @description Its root. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            hash: string;
            /**
             * @description Leaves.
             * @example 12
             */
            count: number;
        };
        /** @description Branches of one of the two trees. */
        BookNodes: {
            /**
             * @description Version of the trees; roots of different versions cannot be compared.
             * @example 1
             */
            version: number;
            /**
             * @description The final block that they are of. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /** @description One for each prefix that was asked for, in that order. */
            nodes: components["schemas"]["BookNode"][];
        };
        /** @description A branch with what is below it. */
        BookNode: {
            /**
             * @description What their keys begin with.
             * @example 0002f
             */
            prefix: string;
            /**
             * @description Its root. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            hash: string;
            /**
             * @description Leaves.
             * @example 12
             */
            count: number;
            /**
             * @description What the keys have in common; null where there is none.
             * @example 0002f
             */
            common: string | null;
            /** @description By the digit after `common`; empty up to 16 leaves. */
            branches: components["schemas"]["BookBranch"][];
            /** @description In the order of the keys; empty above 16 leaves. */
            leaves: components["schemas"]["BookLeaf"][];
        };
        /** @description The leaves whose keys begin like this. */
        BookBranch: {
            /**
             * @description What their keys begin with.
             * @example 0002f
             */
            prefix: string;
            /**
             * @description Its root. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            hash: string;
            /**
             * @description Leaves.
             * @example 12
             */
            count: number;
        };
        /** @description A listing or an event. */
        BookLeaf: {
            /**
             * @description Its key.
             * @example 0002dfa5ca0000000700
             */
            key: string;
            /**
             * @description Its hash. 32 bytes, lowercase hex.
             * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
             */
            hash: string;
            /**
             * @description What is hashed, as canonical JSON (RFC 8785): the facts of a listing or of an event, with addresses of persons hashed. Null for a listing that is not shown.
             * @example {
             *       "onchainId": "3",
             *       "raisedAmount": "1250500000000000000000"
             *     }
             */
            members: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A page of anomalies. */
        Anomalies: {
            /**
             * @description Totals by kind; only kinds that occurred.
             * @example {}
             */
            byKind: {
                unknown_listing?: number;
                total_mismatch?: number;
                refund_exceeds_principal?: number;
                zero_amount?: number;
                subscribed_after_close?: number;
                terms_after_close?: number;
                repaid_before_drawdown?: number;
                second_terminal?: number;
                second_close?: number;
                second_created?: number;
                second_drawdown?: number;
                token_reused?: number;
                bad_refnum?: number;
                unmapped_event?: number;
            };
            /** @description Newest first. */
            anomalies: components["schemas"]["Anomaly"][];
            page: components["schemas"]["Page"];
        };
        /** @description An event of the chain that did not add up. */
        Anomaly: {
            /**
             * @description What was wrong.
             * @example total_mismatch
             * @enum {string}
             */
            kind: "unknown_listing" | "total_mismatch" | "refund_exceeds_principal" | "zero_amount" | "subscribed_after_close" | "terms_after_close" | "repaid_before_drawdown" | "second_terminal" | "second_close" | "second_created" | "second_drawdown" | "token_reused" | "bad_refnum" | "unmapped_event";
            /**
             * @description The event behind it; a `transfer` belongs to a token and is not in the ledger.
             * @example subscribed
             * @enum {string}
             */
            eventKind: "listing_created" | "listing_terms_updated" | "subscribed" | "refunded" | "reserve_changed" | "listing_closed" | "drawn_down" | "repaid" | "payout_claimed" | "listing_settled" | "listing_cancelled" | "listing_voided" | "unmapped" | "offer_created" | "offer_filled" | "offer_cancelled" | "transfer";
            /**
             * @description Public id of the listing; null when it is not visible.
             * @example lst_bakery
             */
            publicId: string | null;
            /**
             * @description Its reference number; null when it is not visible. Letters and a five-digit counter, unless the contract has another text.
             * @example RB00042
             */
            refnum: string | null;
            /**
             * @description The escrow of the listing. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            escrowAddress: string;
            /**
             * @description Id of the listing within the escrow. Decimal string.
             * @example 1
             */
            onchainId: string;
            /**
             * @description Number of its block. Decimal string.
             * @example 1
             */
            blockNumber: string;
            /**
             * Format: date-time
             * @description Time of its block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            blockTime: string;
            /**
             * @description Its index among the logs of the block.
             * @example 3
             */
            logIndex: number;
            /**
             * @description Its place among the events of the log; absent for the first.
             * @example 1
             */
            part?: number;
            /**
             * @description Transaction. 32 bytes, lowercase hex.
             * @example 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b
             */
            txHash: string;
            finality: components["schemas"]["Finality"];
            /** @description The figures; empty where the event itself is what is wrong. */
            differences: components["schemas"]["Difference"][];
        };
        /** @description One figure that did not add up. Decimal strings or text. */
        Difference: {
            /**
             * @description Which figure.
             * @example totalRaised
             */
            field: string;
            /**
             * @description What it should have been.
             * @example 100
             */
            expected: string;
            /**
             * @description The value on the chain, or the stored one.
             * @example 130
             */
            found: string;
        };
        /** @description How the service is doing. */
        Health: {
            /**
             * @description `syncing` until the indexer is at the head of the chain; `degraded` when the RPC has been silent for 60 seconds or the database for 10, the indexer has stalled for 60 seconds while the chain advanced (180 before it follows the chain), the last update of the registry was refused, the RPC endpoints disagree about a block, their final block does not advance while the head does, one of them left logs out or lacks what the indexer needs, or the last audit found a difference.
             * @example ok
             * @enum {string}
             */
            status: "ok" | "syncing" | "degraded";
            /**
             * @description The reasons for `degraded`; empty otherwise.
             * @example []
             */
            troubles: components["schemas"]["Trouble"][];
            /**
             * @description The indexed chain.
             * @example 97
             */
            chainId: number;
            /** @description The contracts that are followed. */
            contracts: {
                /**
                 * @description Their name, which the operator gives: `Raisebook` for the project's own.
                 * @example Raisebook
                 */
                name: string;
                /**
                 * @description Decimals of their dollar on the chain. Amounts in answers have 18, whatever this is.
                 * @example 18
                 */
                decimals: number;
                /**
                 * @description Events of theirs that are followed.
                 * @example 15
                 */
                events: number;
            };
            /**
             * @description Last indexed block; decimal string, null when not known yet.
             * @example 48211034
             */
            indexedBlock: string | null;
            /**
             * Format: date-time
             * @description Its time, ISO 8601.
             * @example 2026-03-01T12:00:00Z
             */
            indexedAt: string | null;
            /**
             * @description Last block that no reorg takes back and no RPC endpoint disputes: what is up to there is `final`; decimal string, null when not known yet.
             * @example 48211034
             */
            finalizedBlock: string | null;
            /** @description What decides which blocks are final; null when not known yet. */
            finality: {
                /**
                 * @description `finalized`: the lowest `finalized` block of the RPC endpoints; `depth`: blocks so far below the head as the operator set, as the endpoints name no such block or always the same one.
                 * @example finalized
                 * @enum {string}
                 */
                source: "finalized" | "depth";
                /**
                 * @description Blocks from `finalizedBlock` to `indexedBlock`.
                 * @example 3
                 */
                lagBlocks: number;
            } | null;
            /**
             * @description First block that the service's RPC endpoints disagree on: nothing from it on is `final` until they agree; null while they do; decimal string, null when not known yet.
             * @example 48211034
             */
            disputedBlock: string | null;
            completeness: components["schemas"]["Completeness"] & unknown;
            /**
             * @description RPC endpoints that lack what the indexer needs, each with the reason; empty otherwise.
             * @example []
             */
            unfitEndpoints: components["schemas"]["UnfitEndpoint"][];
            /**
             * @description Newest known block, never below the indexed one; decimal string, null when not known yet.
             * @example 48211034
             */
            headBlock: string | null;
            /**
             * @description Time of the head minus time of the indexed block, in seconds of chain time. While the RPC is silent the head is taken to have advanced since its last answer.
             * @example 0
             */
            lagSeconds: number | null;
            /**
             * @description What announces indexed blocks to this process: its `database`; the `primary` of the replica that it reads (NOTICES_DATABASE_URL); `none`, so that it reads the tables ten times a second.
             * @example database
             * @enum {string}
             */
            blockNotices: "database" | "primary" | "none";
            /** @description Restarts of the indexer after unexpected exits. */
            restarts: {
                /**
                 * @description Number since the daemon started.
                 * @example 0
                 */
                count: number;
                /**
                 * @description Reason for the last one; null when there was none.
                 * @example null
                 */
                reason: string | null;
            };
            instances: components["schemas"]["Instances"];
            /** @description The off-chain facts in use. */
            registry: {
                /**
                 * @description `refused`: the last update was invalid; the copy before it is in use.
                 * @enum {string}
                 */
                status: "ok" | "refused";
                /**
                 * @description Hash of the document in use.
                 * @example 9f86d081884c7d65
                 */
                version: string;
                /**
                 * @description keccak256 over its canonical JSON (RFC 8785) without the signature: what the operator signs. 32 bytes, lowercase hex.
                 * @example 0x9f86d0819f86d0819f86d0819f86d0819f86d0819f86d0819f86d0819f86d081
                 */
                hash: string;
                /**
                 * @description Its number; a signed document has a higher one than those before it.
                 * @example 8
                 */
                revision: number | null;
                /**
                 * @description Address of the operator's key: its signature of the document was checked. Null when the operator names no key.
                 * @example 0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1
                 */
                signer: string | null;
                /**
                 * @description First block that this process answered for with it; decimal string, null when not known yet.
                 * @example 48211034
                 */
                sinceBlock: string | null;
                /**
                 * Format: date-time
                 * @description Time of that block, ISO 8601.
                 * @example 2026-03-01T12:00:00Z
                 */
                since: string | null;
                /** @description Originators that it names. */
                originators: number;
                /** @description Listings that it names. */
                listings: number;
                /**
                 * @description Why the last update was refused.
                 * @example null
                 */
                problem: string | null;
                /** @description Listings of which it says something else than the chain, which counts: terms, reference number or token. Only when there are any. */
                contradictions?: number;
                /** @description Pictures in use: covers and logos. */
                images: number;
                /**
                 * @description Where the document names a picture that cannot be used. A pattern stands in; the service is not degraded.
                 * @example null
                 */
                imageProblem: string | null;
            };
            /**
             * @description Listings on the chain that are not in the registry.
             * @example 0
             */
            unpublished: number;
            /**
             * @description Listings that cannot be shown and are left out.
             * @example 0
             */
            unprojectable: number;
            /** @description Events that did not add up. */
            anomalies: {
                /** @description Anomalies of every kind. */
                total: number;
                /** @description Only the kinds that occurred. */
                byKind: {
                    [key: string]: number;
                };
            };
            /** @description Summary of the last audit; null before the first. */
            audit: {
                /**
                 * @description The audited block, decimal string.
                 * @example 48211034
                 */
                block: string | null;
                /**
                 * @description Its time, ISO 8601.
                 * @example 2026-03-01T12:00:00Z
                 */
                at: string | null;
                /**
                 * @description `red`: at least one finding. `failed`: the audit was not possible; `/audit` says why.
                 * @example ok
                 * @enum {string}
                 */
                status: "ok" | "red" | "failed";
                /**
                 * @description Audited listings.
                 * @example 40
                 */
                listings: number;
                /**
                 * @description Wrong figures.
                 * @example 0
                 */
                findings: number;
            } | null;
            /** @description As at `/v1/root`; null while it is not known. */
            root: {
                /**
                 * @description The last final block with an event.
                 * @example 48211034
                 */
                blockNumber: string;
                /**
                 * @description The root of the book as of that block. 32 bytes, lowercase hex.
                 * @example 0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a
                 */
                hash: string;
            } | null;
            /**
             * @description Version of the service.
             * @example 0.1.0
             */
            version: string;
        };
        /** @description A reason for the status `degraded`. */
        Trouble: {
            /**
             * @description Its stable code.
             * @example node_silent
             * @enum {string}
             */
            code: "node_silent" | "database_silent" | "endpoints_disagree" | "finality_stalled" | "logs_incomplete" | "endpoint_unfit" | "index_stalled" | "registry_refused" | "audit_red";
            /**
             * Format: date-time
             * @description Chain time, ISO 8601, of the newest known block when this process noticed it; null when none was known.
             * @example 2026-03-01T12:00:00Z
             */
            since: string | null;
            /**
             * @description What the operator does about it.
             * @example Check the RPC endpoints and their quotas; the log has their errors.
             */
            remedy: string;
        };
        /** @description An RPC endpoint that lacks what the indexer has asked it for in the last ten minutes. */
        UnfitEndpoint: {
            /**
             * @description Its host.
             * @example rpc.example
             */
            endpoint: string;
            /**
             * @description `pruned`: it has dropped blocks or logs that the indexer needs; `unusable_logs`: it gives logs without a place in their block, or of a block that is gone.
             * @example pruned
             * @enum {string}
             */
            reason: "pruned" | "unusable_logs";
        };
        /** @description Which start of the service indexes, and which ones stand by; null with the embedded database, which has one. */
        Instances: {
            indexing: components["schemas"]["Instance"];
            /**
             * @description Those that take over when it is gone, the longest-waiting first.
             * @example []
             */
            standby: (components["schemas"]["Instance"] & unknown)[];
        } | null;
        /** @description The one that indexes; null while none does. */
        Instance: {
            /**
             * @description A random name, new with each start.
             * @example 9f86d081
             */
            id: string;
            /**
             * Format: date-time
             * @description Since when it indexes or stands by, by the database's clock, ISO 8601.
             * @example 2026-03-01T12:00:00Z
             */
            since: string;
        } | null;
        Ready: {
            /** @enum {string} */
            status: "ready";
        };
        /** @description The last audit of this service, and the running one. */
        Auditor: {
            /** @description Progress of the running audit; null when none is running. */
            running: {
                /**
                 * @description Calls answered by the chain.
                 * @example 120
                 */
                done: number;
                /**
                 * @description All calls.
                 * @example 240
                 */
                total: number;
            } | null;
            last: components["schemas"]["Audit"];
        };
        /** @description The last audit; null before the first. */
        Audit: {
            /**
             * @description `red`: at least one finding. `failed`: the audit was not possible; `problem` says why.
             * @example ok
             * @enum {string}
             */
            status: "ok" | "red" | "failed";
            /**
             * @description The audited block, decimal string.
             * @example 48211034
             */
            block: string | null;
            /**
             * @description Its time, ISO 8601.
             * @example 2026-03-01T12:00:00Z
             */
            at: string | null;
            /**
             * @description Ledger rows folded again
             * @example 12
             */
            events: number;
            /**
             * @description Figures compared
             * @example 12
             */
            checks: number;
            /** @description The audited listings. */
            listings: components["schemas"]["AuditedListing"][];
            /**
             * @description Figures that the contracts do not report, such as a view that an escrow lacks. Not findings.
             * @example []
             */
            notAuditable: string[];
            /**
             * @description Escrows that hold more dollars than they have to. Not findings.
             * @example []
             */
            surpluses: components["schemas"]["AuditSurplus"][];
            completeness: components["schemas"]["Completeness"] & unknown;
            /** @description All differences. */
            findings: components["schemas"]["AuditFinding"][];
            /**
             * @description Why it failed.
             * @example null
             */
            problem: string | null;
        } | null;
        /** @description An audited listing. Amounts in base units. */
        AuditedListing: {
            /**
             * @description The escrow. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            escrowAddress: string;
            /**
             * @description The listing within its escrow.
             * @example 1
             */
            onchainId: string;
            /**
             * @description Its reference number; null until its creation is indexed.
             * @example RB00042
             */
            refnum: string | null;
            /**
             * @description In the tables. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            raisedAmount: string;
            /**
             * @description In the tables. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            refundedAmount: string;
            /**
             * @description In the tables. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            reserveBalance: string;
            /**
             * @description In the tables. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            outstandingPrincipal: string;
            /**
             * @description The token's supply on the chain; null when the token does not report it.
             * @example 100
             */
            supply: string | null;
            /**
             * @description Number of findings on this listing
             * @example 12
             */
            findings: number;
        };
        /** @description Dollars that nobody claims, such as those sent to an escrow directly. */
        AuditSurplus: {
            /**
             * @description The escrow. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            escrowAddress: string;
            /**
             * @description What it holds beyond what it has to. Base units (18 decimals), decimal string.
             * @example 1250500000000000000000
             */
            amount: string;
        };
        /** @description A wrong figure. */
        AuditFinding: {
            /**
             * @description The comparison: with the escrow's views, the token's supply, its holders, or the escrow's dollars; of sums within the tables; of our sums with running totals in events; of the set of listings; of ledger rows with their event ids and number; with the ledger folded again; with the chain's logs.
             * @example views
             * @enum {string}
             */
            check: "views" | "supply" | "holders" | "balance" | "sums" | "totals" | "listings" | "ledger" | "refold" | "logs";
            /**
             * @description The escrow; null for all tables. Lowercase hex.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            escrowAddress: string | null;
            /**
             * @description Null for the whole escrow.
             * @example 1
             */
            onchainId: string | null;
            /**
             * @description Its reference number; null until its creation is indexed.
             * @example RB00042
             */
            refnum: string | null;
            /**
             * @description Name of the figure.
             * @example raisedAmount
             */
            field: string;
            /**
             * @description The value on the chain, or in the folded ledger.
             * @example 100
             */
            expected: string;
            /**
             * @description The value in the tables.
             * @example 99
             */
            found: string;
            /**
             * @description The block at which both were read.
             * @example 48211034
             */
            block: string;
        };
        Root: {
            /**
             * Format: uri
             * @description The description of the read interface, in OpenAPI
             * @example https://raises.example/listings/lst_bakery
             */
            description: string;
            /**
             * Format: uri
             * @description Each interface, with snippets to paste
             * @example https://raises.example/listings/lst_bakery
             */
            documentation: string;
            /**
             * Format: uri
             * @description The API reference, to read and try in a browser
             * @example https://raises.example/listings/lst_bakery
             */
            reference: string;
            /** @description Paths without a parameter, by the operation's id in the description. */
            endpoints: {
                [key: string]: string;
            };
        };
        /** @description A method's answer. */
        JsonRpcResult: {
            /**
             * @description Version of JSON-RPC.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description Chosen by the client; the answer has the same.
             * @example 1
             */
            id: string | number;
            /** @description The result of the method. For `tools/call`: `structuredContent` is as the tool's output schema says, `content` has the same as text, and `isError` marks advice on what to ask otherwise. */
            result: {
                [key: string]: unknown;
            };
        };
        /** @description An error of the protocol. */
        JsonRpcError: {
            /**
             * @description Version of JSON-RPC.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description Null or absent when the message could not be read.
             * @example 1
             */
            id?: string | number | null;
            error: {
                /**
                 * @description -32700 not JSON, -32600 no message, -32601 no such method, -32602 wrong parameters or no such tool, -32020 headers and message disagree, -32000 HTTP alone.
                 * @example -32602
                 */
                code: number;
                /**
                 * @description What was wrong.
                 * @example Tool nope not found
                 */
                message: string;
                /** @description Details. */
                data?: unknown;
            };
        };
        /** @description One message. Batches are not supported. */
        JsonRpcRequest: {
            /**
             * @description Version of JSON-RPC.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description Without one, the message is a notification and is answered with 202.
             * @example 1
             */
            id?: string | number;
            /**
             * @description `tools/list`, `tools/call`, `ping`; `server/discover` in the revision without a handshake, `initialize` in those with one.
             * @example tools/call
             */
            method: string;
            /** @description The parameters of the method; for `tools/call`: `name` and `arguments`. */
            params?: {
                [key: string]: unknown;
            };
        };
        /** @description As defined by the GraphQL specification. */
        GraphqlResponse: {
            /** @description What was asked; absent when the query was not run. */
            data?: {
                [key: string]: unknown;
            } | null;
            errors?: components["schemas"]["GraphqlError"][];
            extensions?: {
                [key: string]: unknown;
            };
        };
        GraphqlError: {
            /** @description What was wrong. */
            message: string;
            locations?: {
                line: number;
                column: number;
            }[];
            /** @description The field that failed. */
            path?: (string | number)[];
            extensions?: {
                /** @description The error, for programs. */
                code?: string;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description One operation. Batches are not supported. */
        GraphqlRequest: {
            /**
             * @description A query in the language of GraphQL.
             * @example { listings(first: 1) { nodes { publicId status raisedAmount } } }
             */
            query: string;
            /**
             * @description Name of the operation to run, if the query has several.
             * @example Open
             */
            operationName?: string | null;
            /** @description Values of the query's variables. */
            variables?: {
                [key: string]: unknown;
            } | null;
            /** @description Nothing here reads them; persisted queries are refused. */
            extensions?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The open data: every file, and what its columns mean. */
        DataManifest: {
            /**
             * @description Version of the columns and of the bytes.
             * @example 2
             */
            schemaVersion: number;
            /**
             * @description Chain of the contracts.
             * @example 97
             */
            chainId: number;
            /**
             * @description Identifies the followed contracts and the size of the files.
             * @example 3f1c9a0b5d7e
             */
            dataset: string;
            /**
             * @description First block that is covered. Decimal string.
             * @example 48099999
             */
            fromBlock: string;
            /**
             * @description Last block that is covered: the tables as of a block are as of this one. Decimal string.
             * @example 48099999
             */
            toBlock: string;
            /**
             * @description Time of the last block. ISO 8601, UTC.
             * @example 2026-03-01T12:00:00Z
             */
            at: string;
            /**
             * @description Blocks in a file of the ledger. Decimal string.
             * @example 48099999
             */
            blocksPerFile: string;
            /**
             * @description Root of the book as of the last block, as `/v1/root?at=…` answers it. 32 bytes, lowercase hex.
             * @example 0x8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a
             */
            root: string;
            /**
             * @description Hash of the registry in use when the tables were written. It names the raises.
             * @example 0x9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f
             */
            registry: string;
            /**
             * @description Licence that the operator grants: an SPDX identifier or a URL; null when none is granted.
             * @example CC-BY-4.0
             */
            licence: string | null;
            /** @description By name. */
            tables: {
                ledger: components["schemas"]["DataTable"];
                listings: components["schemas"]["DataTable"];
                originators: components["schemas"]["DataTable"];
                cohorts: components["schemas"]["DataTable"];
            };
        };
        /** @description A table: its legend and its files. */
        DataTable: {
            /**
             * @description Rows in all files.
             * @example 812
             */
            rows: number;
            /**
             * @description Size of all files.
             * @example 48211
             */
            bytes: number;
            /** @description In the order of the files. */
            columns: components["schemas"]["DataColumn"][];
            /** @description In the order of the chain. */
            files: components["schemas"]["DataFile"][];
        };
        /** @description A column. */
        DataColumn: {
            /**
             * @description Name in the files.
             * @example committed
             */
            name: string;
            /**
             * @description SQL type.
             * @example DECIMAL(38,0)
             */
            type: string;
            /**
             * @description What it counts; null for nothing.
             * @example base units
             */
            unit: string | null;
            /**
             * @description Whether a row may have no value.
             * @example true
             */
            nullable: boolean;
            /**
             * @description What it means.
             * @example Change of the amount committed.
             */
            description: string;
            /**
             * @description Schema version that first had it.
             * @example 1
             */
            since: number;
        };
        /** @description A Parquet file. */
        DataFile: {
            /**
             * @description From the address of the manifest. A file with this name never changes.
             * @example ledger/48000000-48099999-3f1c9a0b5d7e.parquet
             */
            path: string;
            /**
             * @description First block of its rows; of a table as of a block, that block. Decimal string.
             * @example 48099999
             */
            fromBlock: string;
            /**
             * @description Last block of its rows. Decimal string.
             * @example 48099999
             */
            toBlock: string;
            /**
             * @description Rows.
             * @example 812
             */
            rows: number;
            /**
             * @description Size.
             * @example 48211
             */
            bytes: number;
            /**
             * @description SHA-256 of the file.
             * @example 3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f
             */
            sha256: string;
        };
        /** @description OpenAPI 3.1.0. */
        Description: {
            /**
             * @description Version of the format.
             * @enum {string}
             */
            openapi: "3.1.0";
            info: {
                title: string;
                /** @enum {string} */
                version: "1.0.0";
            } & {
                [key: string]: unknown;
            };
            servers: ({
                /**
                 * Format: uri
                 * @description Base URL of the paths.
                 * @example https://raises.example/openapi.json
                 */
                url: string;
            } & {
                [key: string]: unknown;
            })[];
            paths: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        /** @description Manifest of the resources for agents. */
        AiCatalog: {
            /**
             * @description Version of the format.
             * @enum {string}
             */
            specVersion: "1.0";
            /** @description The publisher. */
            host: {
                displayName: string;
                identifier: string;
                /**
                 * Format: uri
                 * @description Documentation.
                 * @example https://raises.example/openapi.json
                 */
                documentationUrl: string;
            };
            entries: ({
                /**
                 * @description `urn:air:<host>:<namespace>:<name>`.
                 * @example urn:air:raises.example:mcp:raisebook
                 */
                identifier: string;
                displayName: string;
                /** @description Media type of the resource at `url`. */
                type: string;
                /**
                 * Format: uri
                 * @description Address of the resource.
                 * @example https://raises.example/openapi.json
                 */
                url: string;
                description: string;
                /** @description Questions that it answers. */
                representativeQueries: string[];
            } & {
                [key: string]: unknown;
            })[];
        };
        /** @description Linkset, RFC 9264. */
        ApiCatalog: {
            /** @description A context for each API, and one that names them all. */
            linkset: ({
                /**
                 * Format: uri
                 * @description The resource that the links describe.
                 * @example https://raises.example/openapi.json
                 */
                anchor: string;
                /** @description The APIs, where the anchor is the catalog. */
                item?: ({
                    /**
                     * Format: uri
                     * @description The target.
                     * @example https://raises.example/openapi.json
                     */
                    href: string;
                    type?: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Descriptions for programs. */
                "service-desc"?: ({
                    /**
                     * Format: uri
                     * @description The target.
                     * @example https://raises.example/openapi.json
                     */
                    href: string;
                    type?: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Documentation for people. */
                "service-doc"?: ({
                    /**
                     * Format: uri
                     * @description The target.
                     * @example https://raises.example/openapi.json
                     */
                    href: string;
                    type?: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description The health of the service. */
                status?: ({
                    /**
                     * Format: uri
                     * @description The target.
                     * @example https://raises.example/openapi.json
                     */
                    href: string;
                    type?: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[];
        };
        /** @description Card of the tool server. It lists no tools: `tools/list` does. */
        ServerCard: {
            /**
             * Format: uri
             * @description Schema of the format.
             * @example https://raises.example/openapi.json
             */
            $schema: string;
            /** @description In reverse-DNS form, with one slash. */
            name: string;
            /**
             * @description Version of the service.
             * @example 0.1.0
             */
            version: string;
            title: string;
            description: string;
            /** @description Where the server is reached. */
            remotes: ({
                /** @enum {string} */
                type: "streamable-http";
                /**
                 * Format: uri
                 * @description The endpoint.
                 * @example https://raises.example/openapi.json
                 */
                url: string;
                supportedProtocolVersions: string[];
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description Skills for agents. */
        SkillIndex: {
            /**
             * Format: uri
             * @description Schema of the format.
             * @example https://raises.example/openapi.json
             */
            $schema: string;
            skills: {
                name: string;
                /** @enum {string} */
                type: "skill-md";
                description: string;
                /** @description Where the skill is. */
                url: string;
                /** @description SHA-256 of the bytes that are served there, which are never compressed. */
                digest: string;
            }[];
        };
        /** @description A JSON Schema. */
        JsonSchema: {
            /**
             * @description Version of JSON Schema.
             * @enum {string}
             */
            $schema: "https://json-schema.org/draft/2020-12/schema";
            /** @description What it describes. */
            title: string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request, for questions about it. The client's own value, if it sent one. */
        RequestId: string;
        /** @description Weak tag of the body, the same for every content coding. Unchanged while the body is. */
        ETag: string;
        /** @description Weak tag of the body, the same for every content coding. Unchanged while the body is. */
        ETagSometimes: string;
        /** @description Strong tag of the file, which is part of its name. */
        StrongETag: string;
        /** @description Ranges of bytes can be asked for. */
        AcceptRanges: "bytes";
        /** @description The bytes of the answer and the size of the file; `bytes *\/<size>` where there are none. */
        ContentRange: string;
        /** @description Number of the last indexed block. An answer refers to it, unless `asOf` or `confirmations` name another. Lower than in an answer before: after a reorganisation, or from another server that is a block behind. */
        IndexedBlock: string;
        /** @description Number of the last indexed block. An answer refers to it, unless `asOf` or `confirmations` name another. Lower than in an answer before: after a reorganisation, or from another server that is a block behind. */
        IndexedBlockSometimes: string;
        /** @description Time of the last indexed block. */
        IndexedAt: string;
        /** @description Id of the newest event that the answer is made with, as `/stream` has it; `0` before the first. With the same id two answers are of the same chain. Not in answers about the past. */
        IndexedEvent: string;
        /** @description Time of the last indexed block. */
        IndexedAtSometimes: string;
        /** @description The next page as an absolute URL, `<…>; rel="next"`. Only when there is one. */
        NextPage: string;
        /** @description Links to the discovery files and to the other forms of this page (RFC 8288). */
        PageLinks: string;
        /** @description Links to the discovery files and to the other forms of this page (RFC 8288). */
        PageLinksSometimes: string;
        /** @description Estimated number of tokens of the body. Markdown only. */
        MarkdownTokens: string;
        /** @description Search engines should list a page at its canonical address alone, and no errors. */
        Robots: "noindex";
        /** @description Search engines should list a page at its canonical address alone, and no errors. */
        RobotsSometimes: "noindex";
        /** @description Address of the page. */
        Location: string;
        /** @description Cacheable for a second: the next block can come at any time. */
        CacheMoment: "public, max-age=1";
        /** @description Cacheable, but revalidated each time; the answer is most often a 304. */
        CacheAsking: "no-cache";
        /** @description Cacheable for a minute: it changes with the service and its state. */
        CacheMinute: "public, max-age=60";
        /** @description Cacheable for an hour: it changes only with a release or the configuration. Of a skill: as the very bytes that are sent. */
        CacheHour: string;
        /** @description Cacheable for good: another version has another path. */
        CacheForGood: "public, max-age=31536000, immutable";
        /** @description Not cacheable: it is true only now. */
        CacheNever: "no-store";
        /** @description Asks proxies to pass on each piece at once. */
        NotBuffered: "no";
        /** @description Cacheable for a second as a complete answer to a query, for a minute as the page, for an hour as the description. */
        CacheSometimes: string;
        /** @description Request headers that the answer depends on. */
        Vary: string;
        /** @description Request headers that the answer depends on. */
        VarySometimes: string;
        /** @description Seconds to wait before asking again. */
        RetryAfter: string;
        /** @description The rate limit of a client: `q` requests in `w` seconds. In every answer where the operator limits clients. */
        RateLimitPolicy: string;
        /** @description Requests left (`r`), and seconds until all are back (`t`). In every answer where the operator limits clients. */
        RateLimit: string;
        /** @description The methods of this path. */
        Allow: string;
        /** @description A download, with its file name. */
        Attachment: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listListings: {
        parameters: {
            query?: {
                /** @description Only raises with every one of these words in their title, refnum or public id, or in the name of the originator; of several refnums or public ids, those with one of them; case and accents do not matter. */
                q?: string;
                /** @description Only these states. Several are separated by commas; repeating the parameter means the same. */
                status?: ("listed" | "funding" | "live" | "matured" | "refunding" | "voided" | "cancelled")[];
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description Only these states of repayment. Several are separated by commas; repeating the parameter means the same. */
                repayment?: ("not_drawn" | "current" | "grace" | "late" | "default" | "repaid" | "written_off")[];
                /** @description Lowest coupon, basis points per year (1450 = 14.50%). */
                minCouponBps?: number;
                /** @description Highest coupon, basis points per year (1450 = 14.50%). */
                maxCouponBps?: number;
                /** @description Shortest term in days. */
                minTenorDays?: number;
                /** @description Longest term in days. */
                maxTenorDays?: number;
                /** @description Only raises with a closing time before this time or date, in ISO 8601 (a date is its start in UTC). */
                closingBefore?: string;
                /** @description Only raises that still owe principal and are due before this time or date, overdue ones included, in ISO 8601 (a date is its start in UTC). */
                dueBefore?: string;
                /** @description Only open raises that will reach, or miss, their minimum at the pace of `projectedAmount`; neither for one below it without that amount. Several are separated by commas; repeating the parameter means the same. */
                pace?: ("reaches_minimum" | "misses_minimum")[];
                /** @description Only raises with an event in or after this block, or at or after this time or date (ISO 8601). */
                changedSince?: string;
                /** @description Order, ties by public id; `newest` when not given. */
                sort?: "newest" | "oldest" | "closing_soon" | "closing_late" | "due_soon" | "due_late" | "most_raised" | "least_raised" | "largest_target" | "smallest_target" | "most_funded" | "least_funded" | "most_subscribers" | "fewest_subscribers" | "highest_coupon" | "lowest_coupon" | "shortest_term" | "longest_term" | "best_grade" | "worst_grade";
                /** @description Page length, 1 to 200; all items by default. */
                limit?: number;
                /** @description Continues after another page: the `page.nextCursor` of that answer, in the same order. */
                cursor?: string;
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The market. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETagSometimes"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listings"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listListingsCsv: {
        parameters: {
            query?: {
                /** @description Only raises with every one of these words in their title, refnum or public id, or in the name of the originator; of several refnums or public ids, those with one of them; case and accents do not matter. */
                q?: string;
                /** @description Only these states. Several are separated by commas; repeating the parameter means the same. */
                status?: ("listed" | "funding" | "live" | "matured" | "refunding" | "voided" | "cancelled")[];
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description Only these states of repayment. Several are separated by commas; repeating the parameter means the same. */
                repayment?: ("not_drawn" | "current" | "grace" | "late" | "default" | "repaid" | "written_off")[];
                /** @description Lowest coupon, basis points per year (1450 = 14.50%). */
                minCouponBps?: number;
                /** @description Highest coupon, basis points per year (1450 = 14.50%). */
                maxCouponBps?: number;
                /** @description Shortest term in days. */
                minTenorDays?: number;
                /** @description Longest term in days. */
                maxTenorDays?: number;
                /** @description Only raises with a closing time before this time or date, in ISO 8601 (a date is its start in UTC). */
                closingBefore?: string;
                /** @description Only raises that still owe principal and are due before this time or date, overdue ones included, in ISO 8601 (a date is its start in UTC). */
                dueBefore?: string;
                /** @description Only open raises that will reach, or miss, their minimum at the pace of `projectedAmount`; neither for one below it without that amount. Several are separated by commas; repeating the parameter means the same. */
                pace?: ("reaches_minimum" | "misses_minimum")[];
                /** @description Only raises with an event in or after this block, or at or after this time or date (ISO 8601). */
                changedSince?: string;
                /** @description Order, ties by public id; `newest` when not given. */
                sort?: "newest" | "oldest" | "closing_soon" | "closing_late" | "due_soon" | "due_late" | "most_raised" | "least_raised" | "largest_target" | "smallest_target" | "most_funded" | "least_funded" | "most_subscribers" | "fewest_subscribers" | "highest_coupon" | "lowest_coupon" | "shortest_term" | "longest_term" | "best_grade" | "worst_grade";
                /** @description Page length, 1 to 200; all items by default. */
                limit?: number;
                /** @description Continues after another page: the `page.nextCursor` of that answer, in the same order. */
                cursor?: string;
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
                /** @description `1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits. */
                excel?: "1";
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The listings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETagSometimes"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    "Content-Disposition": components["headers"]["Attachment"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getListing: {
        parameters: {
            query?: {
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Public id or refnum. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The listing. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listing"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: {
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Public id or refnum. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOriginators: {
        parameters: {
            query?: {
                /** @description Only these grades. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only this country: ISO 3166-1 alpha-2, such as SG. */
                jurisdiction?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
                /** @description Page length, 1 to 200; all items by default. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The originators. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETagSometimes"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Originators"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOriginator: {
        parameters: {
            query?: {
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Public id. */
                publicId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The originator. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Originator"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible originator. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSeries: {
        parameters: {
            query?: {
                /** @description Length of the periods, in UTC; weeks begin on Mondays. `month` by default. */
                by?: "day" | "week" | "month" | "quarter";
                /** @description The first period is the one with this time; by default the one with the first change, but at most 1,000 periods before the last. */
                from?: string;
                /** @description The last period is the one with this time; by default, and at most, that of the last indexed block. */
                to?: string;
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Series"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSeriesCsv: {
        parameters: {
            query?: {
                /** @description Length of the periods, in UTC; weeks begin on Mondays. `month` by default. */
                by?: "day" | "week" | "month" | "quarter";
                /** @description The first period is the one with this time; by default the one with the first change, but at most 1,000 periods before the last. */
                from?: string;
                /** @description The last period is the one with this time; by default, and at most, that of the last indexed block. */
                to?: string;
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
                /** @description `1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits. */
                excel?: "1";
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Attachment"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCohorts: {
        parameters: {
            query?: {
                /** @description What the loans of a cohort have in common: the month, quarter or year of the drawdown, the grade of the business on that day, the business, or its country. `quarter` by default. */
                by?: "month" | "quarter" | "year" | "grade" | "originator" | "country";
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cohorts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cohorts"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCohortsCsv: {
        parameters: {
            query?: {
                /** @description What the loans of a cohort have in common: the month, quarter or year of the drawdown, the grade of the business on that day, the business, or its country. `quarter` by default. */
                by?: "month" | "quarter" | "year" | "grade" | "originator" | "country";
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
                /** @description `1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits. */
                excel?: "1";
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cohorts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Attachment"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCurvesCsv: {
        parameters: {
            query?: {
                /** @description What the loans of a cohort have in common: the month, quarter or year of the drawdown, the grade of the business on that day, the business, or its country. `quarter` by default. */
                by?: "month" | "quarter" | "year" | "grade" | "originator" | "country";
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past. */
                asOf?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
                /** @description `1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits. */
                excel?: "1";
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The months of the cohorts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Attachment"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only these kinds of events. Several are separated by commas; repeating the parameter means the same. */
                kind?: ("listing_created" | "listing_terms_updated" | "subscribed" | "refunded" | "reserve_changed" | "listing_closed" | "drawn_down" | "repaid" | "payout_claimed" | "listing_settled" | "listing_cancelled" | "listing_voided" | "unmapped" | "offer_created" | "offer_filled" | "offer_cancelled")[];
                /** @description First block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                since?: string;
                /** @description Last block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                until?: string;
                /** @description Only events that are final, or only those that are not yet. */
                finality?: "pending" | "final";
                /** @description Only events of this originator's listings. */
                originator?: string;
                /** @description Page length, 1 to 200; 50 by default. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ledger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerPage"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, or the backfill is not over; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEventsCsv: {
        parameters: {
            query?: {
                /** @description Only these kinds of events. Several are separated by commas; repeating the parameter means the same. */
                kind?: ("listing_created" | "listing_terms_updated" | "subscribed" | "refunded" | "reserve_changed" | "listing_closed" | "drawn_down" | "repaid" | "payout_claimed" | "listing_settled" | "listing_cancelled" | "listing_voided" | "unmapped" | "offer_created" | "offer_filled" | "offer_cancelled")[];
                /** @description First block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                since?: string;
                /** @description Last block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                until?: string;
                /** @description Only events that are final, or only those that are not yet. */
                finality?: "pending" | "final";
                /** @description Only events of this originator's listings. */
                originator?: string;
                /** @description Page length, 1 to 200; 50 by default. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
                /** @description `1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits. */
                excel?: "1";
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ledger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    "Content-Disposition": components["headers"]["Attachment"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, or the backfill is not over; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listListingEvents: {
        parameters: {
            query?: {
                /** @description Only these kinds of events. Several are separated by commas; repeating the parameter means the same. */
                kind?: ("listing_created" | "listing_terms_updated" | "subscribed" | "refunded" | "reserve_changed" | "listing_closed" | "drawn_down" | "repaid" | "payout_claimed" | "listing_settled" | "listing_cancelled" | "listing_voided" | "unmapped" | "offer_created" | "offer_filled" | "offer_cancelled")[];
                /** @description First block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                since?: string;
                /** @description Last block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                until?: string;
                /** @description Only events that are final, or only those that are not yet. */
                finality?: "pending" | "final";
                /** @description Page length, 1 to 200; 50 by default. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Public id or refnum. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ledger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerPage"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listListingEventsCsv: {
        parameters: {
            query?: {
                /** @description Only these kinds of events. Several are separated by commas; repeating the parameter means the same. */
                kind?: ("listing_created" | "listing_terms_updated" | "subscribed" | "refunded" | "reserve_changed" | "listing_closed" | "drawn_down" | "repaid" | "payout_claimed" | "listing_settled" | "listing_cancelled" | "listing_voided" | "unmapped" | "offer_created" | "offer_filled" | "offer_cancelled")[];
                /** @description First block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                since?: string;
                /** @description Last block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive. */
                until?: string;
                /** @description Only events that are final, or only those that are not yet. */
                finality?: "pending" | "final";
                /** @description Page length, 1 to 200; 50 by default. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description State that many blocks below the head, i.e. what survives a reorg of that depth. */
                confirmations?: number;
                /** @description `1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits. */
                excel?: "1";
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Public id or refnum. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ledger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    "Content-Disposition": components["headers"]["Attachment"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEventProof: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description The event: `<blockNumber>-<logIndex>`, with `.<part>` for a later event of a log. */
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventProof"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such event of a visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The event is not final yet; see `Retry-After`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the backfill is not over, or the database or the chain's node does not give what the proof needs; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getListingProof: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Public id or refnum. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListingProof"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the backfill is not over, or the database or the chain's node does not give what the proof needs; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBookRoot: {
        parameters: {
            query?: {
                /** @description A final block. Default: the last one. */
                at?: string;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The root. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookRoot"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBookNodes: {
        parameters: {
            query?: {
                /** @description Which tree. Default: `listings`. */
                tree?: "listings" | "ledger";
                /** @description What keys begin with. Default: nothing, which is the whole tree. */
                prefix?: string;
                /** @description A final block. Default: the last one. */
                at?: string;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The branches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookNodes"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description Resume after the row with this id; `0` starts at the beginning. `@<block>.<seconds>` of the connection's last comment with a block may be added to it. Without it, and without `Last-Event-ID`, the stream starts now. */
                after?: string;
                /** @description Only rows of this listing, by public id or refnum. */
                listing?: string;
                /** @description Only rows of these kinds. Several are separated by commas; repeating the parameter means the same. */
                kind?: ("listing_created" | "listing_terms_updated" | "subscribed" | "refunded" | "reserve_changed" | "listing_closed" | "drawn_down" | "repaid" | "payout_claimed" | "listing_settled" | "listing_cancelled" | "listing_voided" | "unmapped" | "offer_created" | "offer_filled" | "offer_cancelled")[];
                /** @description `final`: only final rows, none of which is ever withdrawn. */
                finality?: "final";
                /** @description When `head` comes: `all`, for each block, as without a filter; `rows`, only after rows and in place of keep-alives, as with one. */
                heads?: "all" | "rows";
                /** @description Only raises with every one of these words in their title, refnum or public id, or in the name of the originator; of several refnums or public ids, those with one of them; case and accents do not matter. */
                q?: string;
                /** @description Only these states. Several are separated by commas; repeating the parameter means the same. */
                status?: ("listed" | "funding" | "live" | "matured" | "refunding" | "voided" | "cancelled")[];
                /** @description Only these grades of the originator. Several are separated by commas; repeating the parameter means the same. */
                grade?: ("A" | "B" | "C" | "D" | "E" | "NR")[];
                /** @description Only raises of this originator. */
                originator?: string;
                /** @description Only originators of these countries, ISO 3166-1 alpha-2. Several are separated by commas; repeating the parameter means the same. */
                jurisdiction?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW")[];
                /** @description Only these states of repayment. Several are separated by commas; repeating the parameter means the same. */
                repayment?: ("not_drawn" | "current" | "grace" | "late" | "default" | "repaid" | "written_off")[];
                /** @description Lowest coupon, basis points per year (1450 = 14.50%). */
                minCouponBps?: number;
                /** @description Highest coupon, basis points per year (1450 = 14.50%). */
                maxCouponBps?: number;
                /** @description Shortest term in days. */
                minTenorDays?: number;
                /** @description Longest term in days. */
                maxTenorDays?: number;
                /** @description Only raises with a closing time before this time or date, in ISO 8601 (a date is its start in UTC). */
                closingBefore?: string;
                /** @description Only raises that still owe principal and are due before this time or date, overdue ones included, in ISO 8601 (a date is its start in UTC). */
                dueBefore?: string;
                /** @description Only open raises that will reach, or miss, their minimum at the pace of `projectedAmount`; neither for one below it without that amount. Several are separated by commas; repeating the parameter means the same. */
                pace?: ("reaches_minimum" | "misses_minimum")[];
                /** @description Only raises with an event in or after this block, or at or after this time or date (ISO 8601). */
                changedSince?: string;
            };
            header?: {
                /** @description Like `after`; browsers send it when they reconnect. It takes precedence over `after`. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, which stays open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    "X-Accel-Buffering": components["headers"]["NotBuffered"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An unknown parameter, a value that is not allowed, or an id that no row ever had. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such visible listing. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, the backfill is not over, too many streams are open, or the last blocks are being replaced; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAnomalies: {
        parameters: {
            query?: {
                /** @description Only these kinds. Several are separated by commas; repeating the parameter means the same. */
                kind?: ("unknown_listing" | "total_mismatch" | "refund_exceeds_principal" | "zero_amount" | "subscribed_after_close" | "terms_after_close" | "repaid_before_drawdown" | "second_terminal" | "second_close" | "second_created" | "second_drawdown" | "token_reused" | "bad_refnum" | "unmapped_event")[];
                /** @description Only of this visible listing: its public id or refnum. */
                listing?: string;
                /** @description Page length, 1 to 200; 50 by default. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Tags that the client has; a current one is answered with 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the anomalies. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anomalies"];
                };
            };
            /** @description Not modified: the `If-None-Match` tag is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Indexed-Block": components["headers"]["IndexedBlock"];
                    "X-Indexed-At": components["headers"]["IndexedAt"];
                    "X-Indexed-Event": components["headers"]["IndexedEvent"];
                    "Cache-Control": components["headers"]["CacheMoment"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An unknown parameter, or a value that is not allowed; `errors` says what is. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The client accepts none of the offered types. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing is indexed yet, or the database does not answer; see `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not ready; `detail` says why, and `Retry-After` when to ask again. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last audit, and the progress of the running one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Auditor"];
                };
            };
            /** @description The URL has more than 4,096 characters. */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong in the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheNever"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
