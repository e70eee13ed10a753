/**
 * Real answers as examples: recorded from the demo's market by `demo/record-examples.ts` in `examples.json`, by operation and
 * status.
 * @module
 */
import recorded from "./examples.json" with { type: "json" };

/**
 * A body for each media type by status; `request` is the body sent, if any, `asked` the path of the request that was
 * answered with 200, and `leftOut` how many items each list of the example lacks, by JSON pointer.
 */
type RecordedAnswers = Record<string, Record<string, unknown>>;
type Recorded = Record<string, RecordedAnswers>;

type Media = Record<string, { example?: unknown }>;
type Described = {
  operationId?: string;
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
};

type Schema = {
  $ref?: string;
  oneOf?: readonly { $ref: string }[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  example?: unknown;
};

/** The description with the recorded answers, and an example of every kind of event. */
export function withExamples<Document extends { paths?: object; components?: object }>(
  document: Document,
): Document {
  const all: Recorded = recorded;
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Described>).map(([method, operation]) => [
      method,
      illustrated(operation, all[operation.operationId ?? ""]),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: withEvents(document.components ?? {}) },
  };
}

/**
 * The schemas, each kind of event with an example: those of its fields together, without fields that are not public. A
 * recorded page has the latest events of the demo alone.
 */
function withEvents({ schemas = {} }: { schemas?: Record<string, Schema> }): Record<string, Schema> {
  const named = ({ $ref = "" }: Schema) => $ref.replace("#/components/schemas/", "");
  const exampleOf = (field: Schema): unknown => field.example ?? schemas[named(field)]?.example;
  const kinds = new Set((schemas.LedgerEvent?.oneOf ?? []).map(named));
  const described = Object.entries(schemas).map(([name, schema]) => {
    if (!kinds.has(name)) return [name, schema];
    const { properties = {}, required = [] } = schema;
    const example = required.map((field) => [field, exampleOf(properties[field] ?? {})]);
    return [name, { ...schema, example: Object.fromEntries(example) }];
  });
  return Object.fromEntries(described);
}

function illustrated(operation: Described, answers: RecordedAnswers | undefined): Described {
  if (answers === undefined) return operation;
  const { requestBody, responses } = operation;
  const request = requestBody && {
    ...requestBody,
    content: withExample(requestBody.content, answers.request),
  };
  const described = Object.entries(responses).map(([status, answer]) => {
    const { content } = answer;
    return [
      status,
      content === undefined ? answer : { ...answer, content: withAnswer(content, status, answers) },
    ];
  });
  return {
    ...operation,
    ...(request === undefined ? {} : { requestBody: request }),
    responses: Object.fromEntries(described),
  };
}

/** An example of success says what was asked, in extension fields. */
function withAnswer(content: Media, status: string, answers: RecordedAnswers): Media {
  const { asked = {}, leftOut = {} } = answers;
  const answered = withExample(content, answers[status]);
  if (status !== "200") return answered;
  return Object.fromEntries(
    Object.entries(answered).map(([type, media]) => {
      if (!(type in asked)) return [type, media];
      const more = type in leftOut ? { "x-left-out": leftOut[type] } : {};
      return [type, { ...media, "x-request": asked[type], ...more }];
    }),
  );
}

function withExample(content: Media, examples: Record<string, unknown> = {}): Media {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      type in examples ? { ...media, example: examples[type] } : media,
    ]),
  );
}
