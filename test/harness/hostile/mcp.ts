/** @module Hostile messages to the tool endpoint. */
import fc from "fast-check";
import { TOOLS } from "../../../api/mcp/catalog.ts";
import { brokenBody, hostileJson, jsonObject, jsonText } from "./json.ts";
import { type HostileCase, hostileHeaders, othersTo, postsTo } from "./request.ts";
import { hostileCursor, hostileText, PROTOTYPE_NAMES } from "./text.ts";

/** Each tool with all that it takes. */
const ARGUMENTS = TOOLS.map(({ name, input }) => [name, Object.keys(input.shape)] as const);

const METHODS = [
  ...[
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "server/discover",
    "resources/list",
    "resources/read",
  ],
  ...[
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
    "tasks/get",
    "tasks/cancel",
  ],
  ...["sampling/createMessage", "roots/list", "elicitation/create", "notifications/initialized"],
  ...["notifications/cancelled", "rpc.discover", "TOOLS/LIST", "tools", "tools/", "$/cancelRequest", ""],
];

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "1900-01-01"];
const META = "io.modelcontextprotocol/";

const MEMBERS = ["jsonrpc", "id", "params", "method"];

type Members = [string, string][];

/** The metadata that newer clients put into every message, right or wrong. */
const meta: fc.Arbitrary<Members> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Members>([]) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...REVISIONS).map((revision): Members => {
      const client = jsonObject([
        [`${META}protocolVersion`, jsonText(revision)],
        [`${META}clientInfo`, '{"name":"hostile","version":"1"}'],
        [`${META}clientCapabilities`, "{}"],
      ]);
      return [["_meta", client]];
    }),
  },
  { weight: 1, arbitrary: hostileJson.map((value): Members => [["_meta", value]]) },
  {
    weight: 1,
    arbitrary: hostileJson.map(
      (value): Members => [["_meta", jsonObject([[`${META}protocolVersion`, value]])]],
    ),
  },
);

function argumentsOf(names: readonly string[], cursors: readonly string[]): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 4, arbitrary: hostileJson },
    { weight: 1, arbitrary: hostileCursor(cursors).map(jsonText) },
    { weight: 1, arbitrary: hostileText.map((text) => `[${jsonText(text)}]`) },
  );
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), hostileText) },
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.array(fc.tuple(key, value), { maxLength: 4 }).map(jsonObject) },
    { weight: 1, arbitrary: hostileJson },
  );
}

/** A call of a tool, existing or not. */
function toolCall(cursors: readonly string[]): fc.Arbitrary<Members> {
  const known = fc
    .constantFrom(...ARGUMENTS)
    .chain(([tool, names]) => fc.tuple(fc.constant(jsonText(tool)), argumentsOf(names, cursors)));
  const unknown = fc.tuple(
    fc.oneof(
      hostileText.map(jsonText),
      hostileJson,
      fc.constantFrom('"list_deals "', '"LIST_DEALS"', '"list_deals\\u0000"'),
    ),
    argumentsOf(["id"], cursors),
  );
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: unknown }).map(
    ([tool, args]): Members => [
      ["name", tool],
      ["arguments", args],
    ],
  );
}

function message(cursors: readonly string[]): fc.Arbitrary<string> {
  const call = fc.tuple(fc.constant('"tools/call"'), toolCall(cursors));
  const other = fc.tuple(
    fc.oneof(fc.constantFrom(...METHODS).map(jsonText), hostileText.map(jsonText), hostileJson),
    fc.array(
      fc.tuple(
        fc.constantFrom(
          "cursor",
          "uri",
          "name",
          "protocolVersion",
          "capabilities",
          "clientInfo",
          "__proto__",
        ),
        hostileJson,
      ),
      { maxLength: 3 },
    ),
  );
  const initialize = fc.constantFrom(...REVISIONS).map((revision): [string, Members] => [
    '"initialize"',
    [
      ["protocolVersion", jsonText(revision)],
      ["capabilities", "{}"],
      ["clientInfo", '{"name":"hostile","version":"1"}'],
    ],
  ]);
  const id = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("1", '"one"') },
    { weight: 1, arbitrary: hostileJson },
  );
  const version = fc.oneof(
    { weight: 20, arbitrary: fc.constant('"2.0"') },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom('"1.0"', "2.0", "2"), hostileJson) },
  );
  const parts = fc.tuple(
    fc.oneof(
      { weight: 5, arbitrary: call },
      { weight: 2, arbitrary: other },
      { weight: 1, arbitrary: initialize },
    ),
    meta,
    id,
    version,
    fc.oneof({ weight: 8, arbitrary: fc.constant(MEMBERS) }, { weight: 1, arbitrary: fc.subarray(MEMBERS) }),
    fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostileJson }),
  );
  return parts.map(([[method, params], metaMembers, messageId, jsonrpc, present, insteadOfParams]) => {
    const members: Members = [
      ["jsonrpc", jsonrpc],
      ["id", messageId],
      ["method", method],
      ["params", insteadOfParams ?? jsonObject([...params, ...metaMembers])],
    ];
    return jsonObject(members.filter(([name]) => present.includes(name)));
  });
}

/** Messages, valid and invalid, and batches of them; to the endpoint at `route`. */
export function mcpCases(route: string, cursors: readonly string[]): fc.Arbitrary<HostileCase> {
  const one = message(cursors);
  const body = fc.oneof(
    { weight: 8, arbitrary: one },
    { weight: 1, arbitrary: fc.array(one, { maxLength: 3 }).map((messages) => `[${messages.join(",")}]`) },
    { weight: 1, arbitrary: one.map((text) => `[${Array(100).fill(text).join(",")}]`) },
    { weight: 2, arbitrary: brokenBody },
  );
  const headers = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ Accept: "application/json, text/event-stream" }) },
    { weight: 1, arbitrary: hostileHeaders },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...REVISIONS),
          fc.constantFrom("tools/call", "tools/list"),
          fc.constantFrom(...TOOLS.map(({ name }) => name)),
        )
        .map(([revision, method, tool]) => ({
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": revision,
          "Mcp-Method": method,
          "Mcp-Name": tool,
        })),
    },
  );
  return fc.oneof(
    { weight: 6, arbitrary: postsTo(route, headers, body) },
    { weight: 1, arbitrary: othersTo(route, cursors) },
  );
}
