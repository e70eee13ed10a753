/** @module Pages in the form that users of GraphQL know: connections with nodes, edges and cursors. */

export const PAGE_INFO = /* GraphQL */ `
  "Where a page begins and ends: the \`PageInfo\` of Relay."
  type PageInfo {
    "The \`after\` of the next page; null when the page is empty."
    endCursor: String
    "Whether there is more after this page."
    hasNextPage: Boolean!
    "Whether the page was asked for with \`after\`, so that others come before it."
    hasPreviousPage: Boolean!
    "The cursor of the first node; null when the page is empty. Pages are read forwards only."
    startCursor: String
  }`;

export function connectionTypes(node: string, { isCounted }: { isCounted: boolean }): string {
  const totalCount = `"How many there are on all pages." totalCount: SafeInt!`;
  return /* GraphQL */ `
    "A page."
    type ${node}Connection {
      "What the page has."
      nodes: [${node}!]!
      "The same, each with its cursor."
      edges: [${node}Edge!]!
      "Where the page ends."
      pageInfo: PageInfo!
      ${isCounted ? totalCount : ""}
    }
    "A node and its place."
    type ${node}Edge {
      "The \`after\` of a page that begins after this node."
      cursor: String!
      "The node."
      node: ${node}!
    }`;
}

export type ConnectionParameters<Node> = {
  nodes: readonly Node[];
  /** the cursor of the page that begins after this node */
  cursorOf(node: Node): string;
  nextCursor: string | null;
  /** the cursor that the page begins after; null or undefined for the first page */
  after: unknown;
  /** total of all pages; omitted when it is not counted */
  totalCount?: () => number;
};

/** A page as GraphQL answers it. Functions are called only when their field is requested. */
export function createConnection<Node>(parameters: ConnectionParameters<Node>) {
  const { nodes, cursorOf, nextCursor, after, totalCount } = parameters;
  const [first, last] = [nodes.at(0), nodes.at(-1)];
  return {
    nodes,
    edges: () => nodes.map((node) => ({ cursor: cursorOf(node), node })),
    pageInfo: () => ({
      endCursor: nextCursor ?? (last === undefined ? null : cursorOf(last)),
      hasNextPage: nextCursor !== null,
      hasPreviousPage: after != null,
      startCursor: first === undefined ? null : cursorOf(first),
    }),
    totalCount,
  };
}
