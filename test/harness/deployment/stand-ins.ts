/**
 * Stand-ins for what an operator's commands need and a machine of namespaces lacks: systemd, a certificate authority, a registry.
 * @module
 */
import { readDocument } from "../documents/document.ts";
import { type Machine, STAND_INS } from "./machine.ts";

const ENABLED = "/run/enabled-units";

const PROGRAMS: Readonly<Record<string, string>> = {
  // Believes the certificates that are there, as clients believe a public authority's.
  sudo: `for file in /etc/letsencrypt/live/*/fullchain.pem; do export NODE_EXTRA_CA_CERTS="$file"; done; exec "$@"`,
  // The clone under test already has its packages.
  git: `for last; do :; done; ln -s "$PWD" "$last"`,
  npm: `[ "$*" != "run bundle" ] || exec node operate/make-bundles.mjs`,
  journalctl: "exit 0",
  systemctl: `case "$1 $2" in
    "reload nginx") exec nginx -s reload ;;
    "enable --now") shift 2; for unit; do echo "$unit" >> ${ENABLED}; done ;;
  esac`,
  // Issues a certificate once its challenge is served.
  certbot: `while [ $# -gt 1 ]; do case "$1" in --webroot-path) root=$2 ;; --domain) domain=$2 ;; --deploy-hook) hook=$2 ;; esac; shift; done
    challenge=".well-known/acme-challenge/token" live="/etc/letsencrypt/live/$domain"
    install -d "$root/.well-known/acme-challenge" "$live"
    echo proof > "$root/$challenge"
    for try in 1 2 3 4 5 6 7 8 9 10; do
      [ "$(curl --silent "http://$domain/$challenge")" = proof ] && break
      [ "$try" -lt 10 ] || { echo "the challenge is not served" >&2; exit 1; }
      sleep 0.5
    done
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2 -subj "/CN=$domain" \\
      -addext "subjectAltName=DNS:$domain" -keyout "$live/privkey.pem" -out "$live/fullchain.pem" 2> /dev/null
    $hook`,
};

export async function installStandIns(machine: Machine): Promise<void> {
  for (const [name, script] of Object.entries(PROGRAMS)) {
    const file = `${STAND_INS}/${name}`;
    await machine.run(`printf '#!/bin/sh\\n%s\\n' "$2" > "$1" && chmod +x "$1"`, file, script);
  }
}

/** The units that were enabled, in their order. */
export const enabledUnits = async (machine: Machine): Promise<string[]> =>
  (await machine.run(`cat ${ENABLED}`)).trim().split("\n");

export type Runbook = {
  /** Runs the snippets of a section in a folder, up to the one that begins so. @returns what they print */
  follow(section: string, folder: string, upTo?: string): Promise<string>;
  /** The places of snippets that were not run. */
  left(): string[];
};

/** The snippets of documents that are for such a machine. */
export function runbookOf(machine: Machine, documents: readonly string[]): Runbook {
  const left = new Set(
    documents.flatMap((path) => readDocument(path).snippets).filter(({ words }) => words[0] === "machine"),
  );
  return {
    async follow(section, folder, upTo) {
      let output = "";
      for (const snippet of left) {
        if (snippet.section !== section) continue;
        if (upTo !== undefined && snippet.text.startsWith(upTo)) break;
        left.delete(snippet);
        output += await machine.run(`cd "$1"\n${snippet.text}`, folder);
      }
      return output;
    },
    left: () => [...left].map(({ at }) => at),
  };
}
