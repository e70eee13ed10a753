/** @module The file named by `WEBHOOKS`: the targets of messages and their filters. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { createLocator } from "../../config/json-places.ts";
import { networks } from "../../config/values.ts";
import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";
import { literalAddress, permittedAddresses } from "./addresses.ts";

/** Each target holds a stream of its reader open. */
const MOST_TARGETS = 100;
const MOST_BYTES = 1_000_000;
const HOUR = 3_600_000;
const DEFAULT_GIVE_UP_AFTER = 72;
const LONGEST_GIVE_UP_AFTER = 720;

export type Target = {
  /** Also the key of its stored position, and its name in logs and metrics. */
  readonly name: string;
  readonly url: string;
  /** `whsec_…`; each of them signs, so that a receiver can rotate its secret. */
  readonly secrets: readonly string[];
  /** Public ids and refnums; null: all listings. */
  readonly listings: ReadonlySet<string> | null;
  /** Public ids; null: all originators. */
  readonly originators: ReadonlySet<string> | null;
  readonly kinds: readonly EventKind[] | null;
  readonly finality: "final" | "pending";
  /** The row from which it begins without a stored position. */
  readonly start: "now" | "beginning";
  /** Addresses and CIDR blocks that are permitted although they are not public. */
  readonly privateNetworks: readonly string[];
  /** Milliseconds of pauses between attempts after which a message becomes a dead letter. */
  readonly giveUpAfter: number;
};

/** The file cannot be used. No problem repeats a value: it may be a secret, or a URL that contains one. */
export class WebhooksError extends Error {
  override readonly name = "WebhooksError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

const told = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `is missing (it must be ${expected})` : `must be ${expected}`,
});

/** The messages for an object with an unknown field, and for any other value. */
const stranger = (unknownField: string, otherwise: string) => ({
  error: ({ code }: { readonly code?: string }) => (code === "unrecognized_keys" ? unknownField : otherwise),
});

const NAME = told("1 to 40 of a-z 0-9 - _");
const SECRET = told("whsec_ and 24 to 64 bytes in base64, as the specification of Standard Webhooks has it");
const HOURS = told(`a number of hours, more than 0 and at most ${LONGEST_GIVE_UP_AFTER}`);
const MOST_SECRETS = 3;
const SECRETS = `${SECRET.error({ input: "" })}, or a list of 1 to ${MOST_SECRETS} of them while it changes`;
const FIELDS =
  "name, url, secret, listings, originators, kinds, finality, start, privateNetworks, giveUpAfterHours";

/** Such as `whsec_` followed by the output of `openssl rand -base64 32`. */
const secret = z.string(SECRET).refine((text) => {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (encoded === undefined || encoded.length % 4 !== 0) return false;
  const { length } = Buffer.from(encoded, "base64");
  return length >= 24 && length <= 64;
}, SECRET);

const listOf = <Item extends z.ZodType>(item: Item, of: string) =>
  z.array(item, told(`a list of ${of}`)).min(1, `must name at least one, or be left out for all`);

const target = z
  .strictObject(
    {
      name: z.string(NAME).regex(/^[a-z0-9_-]{1,40}$/, NAME),
      url: z.string(told("an https URL")),
      secret: z.union(
        [secret.transform((one) => [one]), z.array(secret).min(1, SECRETS).max(MOST_SECRETS, SECRETS)],
        { error: SECRETS },
      ),
      listings: listOf(z.string(told("a public id or a refnum")).min(1), "public ids and refnums").optional(),
      originators: listOf(
        z.string(told("a public id")).regex(/^org_/, told("a public id such as org_…")),
        "public ids",
      ).optional(),
      kinds: listOf(
        z.enum(EVENT_KINDS, told(`one of ${EVENT_KINDS.join(", ")}`)),
        "kinds of events",
      ).optional(),
      finality: z.enum(["final", "pending"], told("final or pending")).default("final"),
      start: z.enum(["now", "beginning"], told("now or beginning")).default("now"),
      privateNetworks: z
        .array(
          z.string(told("an IP address or a CIDR block")).pipe(networks),
          told("a list of addresses and CIDR blocks"),
        )
        .transform((list) => list.flat())
        .default([]),
      giveUpAfterHours: z
        .number(HOURS)
        .gt(0, HOURS)
        .max(LONGEST_GIVE_UP_AFTER, HOURS)
        .default(DEFAULT_GIVE_UP_AFTER),
    },
    stranger(`has a field that there is not (there are ${FIELDS})`, "must be an object"),
  )
  .superRefine(({ url, privateNetworks }, context) => {
    const problem = urlProblem(url, privateNetworks);
    if (problem !== null) context.addIssue({ code: "custom", path: ["url"], message: problem });
  })
  .transform(
    ({ secret: secrets, listings, originators, kinds, giveUpAfterHours, ...rest }): Target => ({
      ...rest,
      secrets,
      listings: listings ? new Set(listings) : null,
      originators: originators ? new Set(originators) : null,
      kinds: kinds ?? null,
      giveUpAfter: giveUpAfterHours * HOUR,
    }),
  );

/** A target's row filter as JSON, equal for equal filters. */
export function filterOf({ listings, originators, kinds }: Target): string {
  const sorted = (some: Iterable<string> | null) => some && [...some].sort();
  return JSON.stringify([sorted(listings), sorted(originators), sorted(kinds)]);
}

const document = z.strictObject(
  {
    targets: z
      .array(target, told("a list of targets"))
      .min(1, "must have at least one target")
      .max(MOST_TARGETS, `must have at most ${MOST_TARGETS} targets`),
  },
  stranger("has a field other than targets", 'must be an object such as {"targets": […]}'),
);

function urlProblem(text: string, privateNetworks: readonly string[]): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an https URL";
  if (url.username !== "" || url.password !== "")
    return "must have no user name or password: messages are signed, and a token can be in its path";
  if (url.hash !== "") return "must have no fragment (#…): it would not be sent";
  if (url.protocol === "http:" && privateNetworks.length === 0)
    return "must be https (http only with privateNetworks, and to addresses in them)";
  const address = literalAddress(url);
  return address === null || permittedAddresses(url, privateNetworks)(address)
    ? null
    : "has an address that it may not be sent to: name its network in privateNetworks if that is meant";
}

/** @throws {WebhooksError} with all problems, each with its line and column */
export async function loadTargets(path: string): Promise<readonly Target[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new WebhooksError([`${path}: cannot be read (${error.code})`]);
  });
  if (bytes.length > MOST_BYTES) throw new WebhooksError([`${path}: is larger than ${MOST_BYTES} bytes`]);
  return parseTargets(bytes.toString("utf8"), path);
}

/** @param name of the document in its problems. @throws {WebhooksError} */
export function parseTargets(text: string, name: string): readonly Target[] {
  const placeOf = createLocator(text);
  const at = (problem: string) => {
    const { line, column } = placeOf(problem);
    return `${name}:${line}:${column}: ${problem}`;
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which contains secrets.
    throw new WebhooksError([at("it is not JSON from here on")]);
  }
  const parsed = document.safeParse(json, { reportInput: false });
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) =>
      path.length === 0 ? `the document: ${message}` : `${z.core.toDotPath(path)}: ${message}`,
    ),
    ...repeatedNames(parsed.data?.targets ?? []),
  ];
  if (parsed.data === undefined || problems.length > 0) throw new WebhooksError(problems.map(at));
  return parsed.data.targets;
}

function repeatedNames(targets: readonly Target[]): string[] {
  const names = targets.map(({ name }) => name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    return first === index
      ? []
      : [`targets[${index}].name: is that of targets[${first}]: each has a place under its own`];
  });
}
