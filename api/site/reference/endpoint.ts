/** @module An operation of the reference. */
import type { Answer, Described, Media, Parameter } from "../developers/described.ts";
import { requestTabs } from "../developers/requests.ts";
import type { Endpoint, Property, PropertyList, Snippet } from "../endpoint.ts";
import { nameOf, type PlaceOf, propertiesOf, propertyOf, typeWords } from "./schema.ts";

/** The page that describes the headers of answers: the first of the reference. */
export const HEADERS_ID = "headers";

const PLACES: readonly (readonly [place: string, title: string])[] = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
];

export function endpointOf(
  { operation, request }: Described,
  { publicUrl, placeOf, isOfFiles }: { publicUrl: string; placeOf: PlaceOf; isOfFiles: boolean },
): Endpoint {
  const { operationId, description = "", parameters = [], requestBody, responses } = operation;
  const answer = recorded(responses["200"]?.content);
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return {
    method: request.method,
    path: request.base + request.template,
    description,
    parameters: [
      ...PLACES.map(([place, title]) => ({
        title,
        properties: parameters.filter((one) => one.in === place).map((one) => parameterOf(one, placeOf)),
      })),
      ...(body === undefined
        ? []
        : [
            {
              title: "Body",
              properties: [propertyOf("JSON", body, true, placeOf, requestBody?.description)],
            },
          ]),
    ].filter(({ properties }) => properties.length > 0),
    answers: {
      title: "Responses",
      properties: Object.entries(responses).map(([status, one]) => answerOf(status, one, placeOf)),
    },
    request: requestTabs(operationId, request, publicUrl, isOfFiles),
    open: isOpenable(request) && !("404" in responses) ? request.path : null,
    answer: answer?.snippet ?? null,
    leftOut: answer?.leftOut ?? null,
  };
}

/** Ids of the recorded market may be nowhere else, and a stream does not end. What can be missing without an id is not there everywhere. */
function isOpenable({ method, template, type }: Described["request"]): boolean {
  return method === "GET" && !template.includes("{") && type !== "text/event-stream";
}

/** The fields of an answer whose object has no name. */
export function inlineLists({ operation }: Described, placeOf: PlaceOf): PropertyList[] {
  const schema = Object.values(operation.responses["200"]?.content ?? {})[0]?.schema;
  if (schema === undefined || nameOf(schema) !== null) return [];
  const properties = propertiesOf(schema.items ?? schema, placeOf);
  return properties.length === 0 ? [] : [{ title: "Fields of the response", properties }];
}

function parameterOf({ name, required, schema = {}, description }: Parameter, placeOf: PlaceOf): Property {
  return propertyOf(name, schema, required === true, placeOf, description);
}

function answerOf(status: string, { description, content = {} }: Answer, placeOf: PlaceOf): Property {
  const media = Object.entries(content);
  const names = media.map(([, { schema }]) => (schema === undefined ? null : nameOf(schema)));
  const [object = null] = names.filter((name) => name !== null);
  const types = [...new Set(media.map(([type]) => type))].join(" or ");
  return {
    name: status,
    type: object === null ? types : `${typeWords({ $ref: object })} as ${types}`,
    href: object === null ? undefined : placeOf(object),
    text: description,
  };
}

/** Longer texts of an answer, such as proofs in hex, are cut. */
const LONGEST_TEXT = 160;

type Recorded = { snippet: Snippet; leftOut: string | null };

function recorded(content: Readonly<Record<string, Media>> = {}): Recorded | null {
  const [found] = Object.entries(content).filter(([, { example }]) => example !== undefined);
  if (found === undefined) return null;
  const [type, { example, "x-left-out": leftOut = {} }] = found;
  const label = `Response (${type})`;
  if (typeof example === "string")
    return { snippet: { label, language: "text", text: example.trimEnd() }, leftOut: null };
  let isCut = false;
  const shown = (_: string, value: unknown) => {
    if (typeof value !== "string" || value.length <= LONGEST_TEXT) return value;
    isCut = true;
    return `${value.slice(0, LONGEST_TEXT)}…`;
  };
  const text = JSON.stringify(example, shown, 2);
  const items = Object.entries(leftOut).map(
    ([pointer, count]) => `${count.toLocaleString("en-US")} more in \`${listName(pointer)}\``,
  );
  const sentences = [
    ...(items.length === 0 ? [] : [`Left out of lists: ${items.join(", ")}.`]),
    ...(isCut ? [`Texts are cut after ${LONGEST_TEXT} characters.`] : []),
  ];
  return {
    snippet: { label, language: "json", text },
    leftOut: sentences.length === 0 ? null : sentences.join(" "),
  };
}

/** `/trading/listings` as `trading.listings`. */
function listName(pointer: string): string {
  return pointer.slice(1).replaceAll("/", ".");
}
