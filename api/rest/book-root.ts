/** @module The root of the book, and the branches of its two trees, by which two services are compared (`raisebook compare`). */
import { createRoute, z } from "@hono/zod-openapi";
import { jsonBody } from "../http/etagged-body.ts";
import { ProblemError } from "../http/problem.ts";
import { answer, withoutEvent } from "../http/respond.ts";
import { createOnce } from "../ledger/once.ts";
import { count, hash, id, listOf, text } from "../market/fields.ts";
import type { Head } from "../market/market.ts";
import { textField, wordField } from "../market/query-field.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { BOOK_VERSION, eventMembers, listingMembers, type Members, rootOf } from "../proof/book-leaves.ts";
import type { Book } from "../proof/book-root.ts";
import {
  below,
  childrenOf,
  countOf,
  digitOf,
  hashOf,
  leavesOf,
  prefixOf,
  type Tree,
} from "../proof/book-tree.ts";
import type { Leaf } from "../proof/packed-leaves.ts";
import { pairKey } from "../registry/schema.ts";
import { marketAnswers } from "./answers.ts";
import type { RestDependencies } from "./dependencies.ts";
import { parameter } from "./parameters.ts";
import type { RestApi } from "./route.ts";
import { askLater, indexed } from "./view.ts";

/** Prefixes in one request, and leaves of one prefix that are answered in place of its branches. */
const MOST_PREFIXES = 16;
const MOST_LEAVES = 16;
const TREES = ["listings", "ledger"] as const;

const treeSchema = z
  .object({ hash: hash("Its root"), count: count("Leaves.", 12) })
  .openapi("BookTree", { description: "One of the two trees." });

const bookRootSchema = z
  .object({
    version: z.int().min(1).openapi({
      description: "Version of the trees; roots of different versions cannot be compared.",
      example: BOOK_VERSION,
    }),
    blockNumber: id("The final block that it is of"),
    changedBlock: id("The last block up to it with an event; null before the first").nullable(),
    root: hash("The root of the book: the same in two services exactly when both trees are"),
    listings: treeSchema,
    ledger: treeSchema,
  })
  .openapi("BookRoot", { description: "The root of the whole book as of a final block." });

const branchSchema = z
  .object({ prefix: text("What their keys begin with.", "0002f"), ...treeSchema.shape })
  .openapi("BookBranch", { description: "The leaves whose keys begin like this." });

const leafSchema = z
  .object({
    key: text("Its key.", "0002dfa5ca0000000700"),
    hash: hash("Its hash"),
    members: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({
        description:
          "What is hashed, as canonical JSON (RFC 8785): the facts of a listing or of an event, with addresses of persons hashed. Null for a listing that is not shown.",
        example: { onchainId: "3", raisedAmount: "1250500000000000000000" },
      }),
  })
  .openapi("BookLeaf", { description: "A listing or an event." });

const bookNodesSchema = z
  .object({
    version: bookRootSchema.shape.version,
    blockNumber: id("The final block that they are of"),
    nodes: listOf(
      z
        .object({
          ...branchSchema.shape,
          common: text("What the keys have in common; null where there is none.", "0002f").nullable(),
          branches: listOf(branchSchema, `By the digit after \`common\`; empty up to ${MOST_LEAVES} leaves.`),
          leaves: listOf(leafSchema, `In the order of the keys; empty above ${MOST_LEAVES} leaves.`),
        })
        .openapi("BookNode", { description: "A branch with what is below it." }),
      "One for each prefix that was asked for, in that order.",
    ),
  })
  .openapi("BookNodes", { description: "Branches of one of the two trees." });

const at = parameter(
  textField((text) => (/^\d{1,20}$/.test(text) ? BigInt(text) : null), "a block number in decimal digits", {
    description: "A final block. Default: the last one",
    example: "48211034",
  }),
);

const PREFIXES = new RegExp(`^(?:[0-9a-f]{0,64})(?:,[0-9a-f]{0,64}){0,${MOST_PREFIXES - 1}}$`);

export const getBookRoot = createRoute({
  method: "get",
  path: "/root",
  operationId: "getBookRoot",
  summary: "The root of the book",
  description:
    "One hash over every listing and every event as of a final block. Two services that follow the same contracts have the same; `raisebook compare` finds where they differ.",
  tags: ["Proofs"],
  request: { query: z.object({ at }) },
  responses: marketAnswers("The root.", bookRootSchema),
});

export const getBookNodes = createRoute({
  method: "get",
  path: "/root/nodes",
  operationId: "getBookNodes",
  summary: "Branches below the root of the book",
  description:
    "The hashes below prefixes of keys, down to the listings and events themselves. A listing's key is the SHA-256 of `<escrowAddress>:<onchainId>`; an event's is its block number (10 digits), log index (8) and part (2), in hexadecimal.",
  tags: ["Proofs"],
  request: {
    query: z.object({
      tree: parameter(wordField(TREES, { description: "Which tree. Default: `listings`" })),
      prefix: parameter(
        textField(
          (text) => (PREFIXES.test(text) ? text.split(",") : null),
          `up to ${MOST_PREFIXES} prefixes of keys in lowercase hexadecimal, with commas between them`,
          {
            description: "What keys begin with. Default: nothing, which is the whole tree",
            example: "0002f",
          },
        ),
      ),
      at,
    }),
  },
  responses: marketAnswers("The branches.", bookNodesSchema),
});

export function addBookRoot(api: RestApi, { updater, bookRoots }: RestDependencies): void {
  const once = createOnce<z.infer<typeof bookNodesSchema>>();
  const bookAt = async (snapshot: Snapshot, block = snapshot.finalized.number): Promise<Book> => {
    const found = await bookRoots.at(snapshot, block);
    if (!("reason" in found)) return found;
    const { reason, detail } = found;
    if (reason !== "out_of_range") throw askLater({ reason, detail });
    const errors = [{ parameter: "at", detail, allowed: ["a final block"] }];
    throw new ProblemError({ code: "invalid_parameter", detail, errors });
  };

  /** The members of leaves of one prefix, null where the listing is not shown. */
  const membersOf = async (
    tree: (typeof TREES)[number],
    book: Book,
    leaves: readonly Leaf[],
    { market }: Snapshot,
  ): Promise<(Members | null)[]> => {
    const rows =
      tree === "listings" ? await bookRoots.listingsOf(book, leaves) : await bookRoots.eventsOf(book, leaves);
    return rows.map((row) => {
      if (row === undefined || !market.listingByPair.has(pairKey(row))) return null;
      return "blockHash" in row ? eventMembers(row) : listingMembers(row);
    });
  };

  api.openapi(getBookRoot, async (c) => {
    const snapshot = indexed(updater.current());
    const { at: asked } = c.req.valid("query");
    const book = await bookAt(snapshot, asked);
    const { block, changed, listings, ledger } = book;
    const body = jsonBody({
      version: BOOK_VERSION,
      blockNumber: block.toString(),
      changedBlock: changed?.toString() ?? null,
      root: rootOf(book),
      listings: treeOf(listings),
      ledger: treeOf(ledger),
    } satisfies z.infer<typeof bookRootSchema>);
    return answer(c, body, headOfBook(snapshot, asked));
  });

  api.openapi(getBookNodes, async (c) => {
    const { tree = "listings", prefix = [""], at: block } = c.req.valid("query");
    const snapshot = indexed(updater.current());
    const book = await bookAt(snapshot, block);
    const nodes = await once(snapshot, `${tree} ${prefix} ${book.block}`, async () => ({
      version: BOOK_VERSION,
      blockNumber: book.block.toString(),
      nodes: await Promise.all(
        prefix.map(async (asked) => {
          const node = below(book[tree], asked);
          const isListed = countOf(node) <= MOST_LEAVES;
          const leaves = isListed ? [...leavesOf(node)] : [];
          const members = await membersOf(tree, book, leaves, snapshot);
          return {
            prefix: asked,
            ...treeOf(node),
            common: node && prefixOf(node),
            branches: node === null || isListed ? [] : branchesOf(node),
            leaves: leaves.map(({ key, hash }, index) => ({ key, hash, members: members[index] ?? null })),
          };
        }),
      ),
    }));
    return answer(c, jsonBody(nodes), headOfBook(snapshot, block));
  });
}

function headOfBook({ market }: Snapshot, asked: bigint | undefined): Head {
  return asked === undefined ? market.head : withoutEvent(market.head);
}

function treeOf(tree: Tree | null) {
  return { hash: hashOf(tree), count: countOf(tree) };
}

function branchesOf(node: Tree) {
  const common = prefixOf(node);
  return childrenOf(node).map((child) => ({ prefix: common + digitOf(child, common), ...treeOf(child) }));
}
