/**
 * The command line of `npm run audit`.
 * @module
 */
import { parseArgs } from "node:util";

export const USAGE = `Compares every figure of the tables with the contracts, and the tables with the ledger.

Usage: npm run audit [-- options]

  --url <url>       have the service at this operator's address audit itself (for the embedded
                    database); default without DATABASE_URL: OPERATOR_PORT of the settings
  --rpc-url <url>   use this node instead of RPC_URLS; it must have the state of recent blocks;
                    others on this machine see it, so a URL with a key belongs into RPC_URLS
  --logs            also fetch every log again and compare it with the ledger (slow; not with --url)
  --json            print the result as JSON
  --help            show this text

With DATABASE_URL it reads the tables itself. The settings are those of npm start (from the
environment, .env.local and .env).

Exit codes:
  0   no differences
  1   differences, each printed with listing, field, expected, found and block
  2   the audit failed, or an option is unknown
`;

export type AuditOptions = {
  url: string | null;
  rpcUrl: string | null;
  logs: boolean;
  json: boolean;
  help: boolean;
};

/** The options, or an error message. */
export function readOptions(args: readonly string[]): AuditOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: "string" },
        "rpc-url": { type: "string" },
        logs: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    for (const name of ["url", "rpc-url"] as const) {
      const value = values[name];
      if (value !== undefined && !isHttpUrl(value)) {
        return `--${name} must be an http or https URL, not ${JSON.stringify(value)}`;
      }
    }
    if (values.url !== undefined && (values["rpc-url"] !== undefined || values.logs)) {
      return "--url asks the service, which has its own nodes: --rpc-url and --logs cannot be combined with it";
    }
    const { url, "rpc-url": rpcUrl, logs, json, help } = values;
    return { url: url?.replace(/\/+$/, "") ?? null, rpcUrl: rpcUrl ?? null, logs, json, help };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
