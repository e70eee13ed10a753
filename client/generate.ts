/**
 * Generates parts of the client: `schema.ts`, the types of the read interface; `events.ts`, the contracts' events for `verify`;
 * and `dist/`, the client in JavaScript with its declarations, which the service packs and serves.
 * @module
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import openapiTypes, { astToString } from "openapi-typescript";
import typescript from "typescript";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../abis/SecondaryDeskEvents.ts";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS } from "../src/fold/event-kinds.ts";
import { EVENT_KINDS, type EventKind } from "../src/fold/vocabulary.ts";

const HEADER = `// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// Generated from openapi.json by generate.ts; do not edit.

`;

type Answer = { content?: Record<string, { example?: unknown }> };
type Operation = { servers?: unknown; responses: Record<string, Answer> };
type Description = { paths: Record<string, Record<string, Operation>> };

/** The paths below `/v1` that are read with GET (others have their own servers), without examples. */
function readInterfaceOf({ paths, ...description }: Description): Description {
  const read = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || get.servers !== undefined) return [];
    for (const { content = {} } of Object.values(get.responses)) {
      for (const media of Object.values(content)) delete media.example;
    }
    return [[path, { get }]];
  });
  return { ...description, paths: Object.fromEntries(read) };
}

/** @param openApi the text of `openapi.json` */
export async function clientTypes(openApi: string): Promise<string> {
  const types = await openapiTypes(readInterfaceOf(JSON.parse(openApi)) as never);
  return HEADER + astToString(types);
}

/** Every event with its ABI, and with the fields that the read interface derives from its arguments. */
export function clientEvents(): string {
  const events = [...listingEscrowEventsAbi, ...secondaryDeskEventsAbi].map((abi) => {
    const kind = kindOf(abi.name);
    const args = Object.entries<ArgumentDescriptor>(EVENT_DESCRIPTORS[kind].args);
    const fields = args.flatMap(([argument, { unit, name = argument, words }]) => {
      // The listing's reference number never changes, even if a second creation says otherwise.
      if (unit === "refnum") return [];
      return [{ argument, name, unit, ...(words === undefined ? {} : { words }) }];
    });
    return `  ${JSON.stringify({ kind, abi, fields })},`;
  });
  return `${HEADER}import type { AbiEvent } from "viem";

/** An argument of an event, and the field of the read interface that it becomes. */
export type EventField = { argument: string; name: string; unit: string; words?: readonly string[] };

export const EVENTS: readonly { kind: string; abi: AbiEvent; fields: readonly EventField[] }[] = [
${events.join("\n")}
];
`;
}

function kindOf(eventName: string): EventKind {
  const name = eventName.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  const kind = EVENT_KINDS.find((one) => one === name);
  if (kind === undefined) throw new Error(`the ledger has no kind for ${eventName}`);
  return kind;
}

/** The modules of the client that contain code; `schema.ts` has only types. */
const MODULES = ["index", "fetch", "follow", "patiently", "problem", "replica"] as const;
/** The modules whose types appear in the interface of `verify`. */
const VERIFY_TYPES = ["verify", "verdict"] as const;

/**
 * The files of `client/dist`, by path from the repository's root, given the text of `events.ts`. Each declaration is generated
 * from its module alone, without resolving imports: exports declare their types.
 */
export async function clientBuild(events: string): Promise<[path: string, text: string][]> {
  const compilerOptions = {
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  const sourceOf = (name: string) => readFileSync(new URL(`${name}.ts`, import.meta.url), "utf8");
  const declarationOf = (name: string): [string, string] => {
    const options = { compilerOptions, reportDiagnostics: true };
    const types = typescript.transpileDeclaration(sourceOf(name), options);
    const [problem] = types.diagnostics ?? [];
    if (problem !== undefined)
      throw new Error(
        `client/${name}.ts: ${typescript.flattenDiagnosticMessageText(problem.messageText, " ")}`,
      );
    return [`client/dist/${name}.d.ts`, types.outputText.replaceAll('.ts"', '.js"')];
  };
  return [
    ...MODULES.flatMap((name): [string, string][] => {
      const code = typescript.transpileModule(sourceOf(name), { compilerOptions });
      return [[`client/dist/${name}.js`, code.outputText], declarationOf(name)];
    }),
    ["client/dist/verify.js", await verifyBuild(events)],
    ...VERIFY_TYPES.map(declarationOf),
  ];
}

/** `verify` and all its imports in one file, for Node and for pages. */
async function verifyBuild(events: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("verify.ts", import.meta.url))],
    ...{ bundle: true, format: "esm", platform: "browser", target: "es2022", write: false },
    ...{ minify: true, legalComments: "eof", charset: "utf8", logLevel: "silent" },
    // Configuration of the surrounding folders must not matter.
    tsconfigRaw: "{}",
    plugins: [
      {
        // The file on disk may be missing or outdated.
        name: "events of this run",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.\/events\.ts$/ }, ({ path }) => ({ path, namespace: "events" }));
          onLoad({ filter: /./, namespace: "events" }, () => ({ contents: events, loader: "ts" }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}
