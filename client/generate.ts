/**
 * What is generated for the client: `schema.ts`, the types of the read interface, and `dist/`, the client in JavaScript
 * with its declarations, which the service packs and serves.
 * @module
 */
import { readFileSync } from "node:fs";
import openapiTypes, { astToString } from "openapi-typescript";
import typescript from "typescript";

const HEADER = `// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// Generated from openapi.json by generate.ts; do not edit.

`;

type Answer = { content?: Record<string, { example?: unknown }> };
type Operation = { servers?: unknown; responses: Record<string, Answer> };
type Description = { paths: Record<string, Record<string, Operation>> };

/** The paths below `/v1` that are read with GET (others have servers of their own), without examples. */
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

/** The modules of the client with code in them; `schema.ts` is types alone. */
const MODULES = ["index", "follow", "problem", "replica"] as const;

/**
 * The files of `client/dist`, by path from the repository's root. Each declaration is made from its module alone, so that
 * nothing is resolved: exports state their types.
 */
export function clientBuild(): [path: string, text: string][] {
  const compilerOptions = {
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  return MODULES.flatMap((name): [string, string][] => {
    const source = readFileSync(new URL(`${name}.ts`, import.meta.url), "utf8");
    const code = typescript.transpileModule(source, { compilerOptions });
    const types = typescript.transpileDeclaration(source, { compilerOptions, reportDiagnostics: true });
    const [problem] = types.diagnostics ?? [];
    if (problem !== undefined)
      throw new Error(
        `client/${name}.ts: ${typescript.flattenDiagnosticMessageText(problem.messageText, " ")}`,
      );
    return [
      [`client/dist/${name}.js`, code.outputText],
      [`client/dist/${name}.d.ts`, types.outputText.replaceAll('.ts"', '.js"')],
    ];
  });
}
