// Starts GraphiQL. It shows the query of the page's address, which a query of ours would hide.
const FIRST_QUERY = `# The open book of a fundraising marketplace: raises, businesses, the secondary desk, the ledger.
# Amounts are strings in base units (18 decimals), rates are in basis points.
{
  listings(status: [listed, funding], sort: closing_soon, first: 5) {
    totalCount
    nodes {
      refnum
      title
      status
      targetAmount
      raisedAmount
      couponRateBps
      closeAt
      originator {
        legalName
        ratingGrade
      }
      events(first: 2) {
        nodes {
          kind
          blockTime
          ... on SubscribedEvent {
            amount
          }
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`;

const hasQuery = new URLSearchParams(location.search).has("query");
globalThis.YogaGraphiQL.renderYogaGraphiQL(
  document.querySelector("#graphiql"),
  hasQuery ? {} : { query: FIRST_QUERY },
);
