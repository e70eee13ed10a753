/** Which alerts fire in an outage, by Prometheus' own tool; skipped without it. */
import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../harness/ending.ts";

const RULES = fileURLToPath(new URL("../../../deploy/prometheus/alerts.yaml", import.meta.url));
const folder = temporaryFolder();

const promtool = (...args: string[]) => spawnSync("promtool", args, { encoding: "utf8", cwd: folder });

/** Series in Prometheus' own notation, a value a minute. */
type Series = Record<string, string>;

const READY = 'raisebook_ready{job="raisebook", instance="reader 0"}';
/** The series of every test that does not change them. */
const SERVED: Series = { 'up{job="raisebook", instance="operator"}': "1x200", [READY]: "1x200" };

/** Expects exactly these alerts to fire after `minute` minutes, each as often as its number says. */
function expectAlerts(series: Series, minute: number, alerts: Record<string, number>): void {
  cpSync(RULES, join(folder, "alerts.yaml"));
  const test = {
    interval: "1m",
    input_series: Object.entries({ ...SERVED, ...series }).map(([name, values]) => ({
      series: name,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'sum by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${minute}m`,
        exp_samples: Object.entries(alerts).map(([alertname, value]) => ({
          labels: `{alertname="${alertname}"}`,
          value,
        })),
      },
    ],
  };
  writeFileSync(join(folder, "outage.json"), JSON.stringify({ rule_files: ["alerts.yaml"], tests: [test] }));
  const { status, stdout, stderr } = promtool("test", "rules", "outage.json");
  expect(status, `${stdout}${stderr}`).toBe(0);
}

/** A series for each of three readers. */
const ofReaders = (name: string, labels: string, values: string): Series =>
  Object.fromEntries([1, 2, 3].map((at) => [`${name}{instance="reader ${at}"${labels}}`, values]));

describe.skipIf(promtool("--version").status !== 0)("alerts", () => {
  const outage = (trouble: string, values: string): Series => ({
    ...ofReaders("raisebook_trouble", `, trouble="${trouble}"`, values),
    ...ofReaders("raisebook_ready", "", "0x200"),
    ...ofReaders("raisebook_audit_status", ', status="failed"', "1x200"),
  });

  it("an RPC that is down is one alert, and so is its end", () => {
    const failing: Series = {};
    for (const host of ["one.example", "two.example"]) {
      Object.assign(failing, ofReaders("raisebook_rpc_requests_total", `, host="${host}"`, "0+60x200"));
      Object.assign(failing, ofReaders("raisebook_rpc_errors_total", `, host="${host}"`, "0+60x200"));
    }
    expectAlerts({ ...outage("node_silent", "1x200"), ...failing }, 120, { RaisebookTrouble: 1 });
    // One endpoint of two, while the other answers.
    expectAlerts(failing, 60, { RaisebookRpcErrors: 2 });
  });

  it("a database that is down is one alert", () => {
    const failing = ofReaders(
      "raisebook_http_requests_total",
      ', route="/v1/events", status="503"',
      "0+60x200",
    );
    expectAlerts({ ...outage("database_silent", "1x200"), ...failing }, 120, { RaisebookTrouble: 1 });
    expectAlerts(failing, 60, { RaisebookServerErrors: 1 });
  });

  it("readers that are not ready for no other reason are one alert", () => {
    expectAlerts(ofReaders("raisebook_ready", "", "0x200"), 30, { RaisebookNotReady: 1 });
  });

  it("a release that waits for its own indexing is no alert while another place serves, and one when none does", () => {
    const places = (serving: string): Series => ({
      [READY]: serving,
      'raisebook_ready{place="a", instance="a 1"}': serving,
      'raisebook_ready{place="b", instance="b 1"}': "0x200",
    });
    expectAlerts(places("1x200"), 60, {});
    expectAlerts(places("1x20 0x180"), 60, { RaisebookNotReady: 1 });
    // The other place has ended, and the new one is still not at the head.
    expectAlerts(places("1x20 stale"), 60, { RaisebookNotReady: 1 });
  });

  it("readers that are all gone are one page, also while the operator's port answers", () => {
    const place = (readers: string, ready: string): Series => ({
      'up{job="raisebook", place="a", instance="a:42070"}': "1x200",
      'up{job="raisebook-indexer", place="a", instance="a:42070"}': "1x200",
      'up{job="raisebook", place="a", instance="a:42071"}': readers,
      'up{job="raisebook", place="a", instance="a:42201"}': readers,
      'raisebook_ready{job="raisebook", place="a", instance="a:42071"}': ready,
      [READY]: ready,
    });
    expectAlerts(place("1x10 0x190", "1x10 stale"), 12, {});
    expectAlerts(place("1x10 0x190", "1x10 stale"), 60, { RaisebookGone: 1 });
    // The port of several processes answers without any of them.
    expectAlerts(place("1x200", "1x10 stale"), 60, { RaisebookGone: 1 });
    // They come up for one scrape in four, and for good.
    const loop = Array.from({ length: 30 }, () => "stale _ _ 1").join(" ");
    for (const minute of [37, 38, 39, 40, 41])
      expectAlerts(place("1x10 0x190", `1x10 ${loop}`), minute, { RaisebookGone: 1 });
    expectAlerts(place("1x10 0x10 1x180", "1x10 stale _x9 1x180"), 31, {});
  });

  it("a release that follows another within minutes is no alert, nor is Prometheus' own start", () => {
    const place = (name: string, values: string): Series => ({
      [`up{job="raisebook", place="${name}", instance="${name}"}`]: values.replace("stale", "0x180"),
      [`raisebook_ready{job="raisebook", place="${name}", instance="${name}"}`]: values,
    });
    for (const minute of [21, 24, 27, 28, 29, 30, 31, 35]) {
      const two = { ...place("a", "1x20 stale"), ...place("b", "_x21 1x180"), [READY]: "_x200" };
      expectAlerts({ ...two, 'up{job="raisebook", place="b", instance="b"}': "0x21 1x180" }, minute, {});
    }
    for (const minute of [0, 1, 3, 8]) expectAlerts({}, minute, {});
  });

  it("restarts of the indexer count together, also where the service was started again between them", () => {
    const restarts = (values: string) => ({ 'raisebook_indexer_restarts{instance="reader 1"}': values });
    expectAlerts(restarts("0x9 1x9 2x9 0x9 1x9 2x9 0x9 1x9 2x9 3x9"), 99, { RaisebookRestarts: 1 });
    expectAlerts(restarts("0x9 1x9 2x9 3x29"), 59, {});
  });

  it("503s of /v1/ready are no errors of the service", () => {
    const probes = ofReaders(
      "raisebook_http_requests_total",
      ', route="/v1/ready", status="503"',
      "0+60x200",
    );
    expectAlerts(probes, 60, {});
  });

  it("one reader of several that is gone is an alert, and a release that has ended is none", () => {
    const targets = (values: string) => ({
      'up{job="raisebook", place="a", instance="a 1"}': values,
      'up{job="raisebook", place="a", instance="a 2"}': "1x10 0x190",
      'up{job="raisebook", place="b", instance="b 1"}': "0x200",
    });
    expectAlerts(targets("1x200"), 13, {});
    expectAlerts(targets("1x200"), 20, { RaisebookReaderGone: 1 });
    // All of place a have ended, and another place serves.
    const ended = { ...targets("1x10 0x190"), 'up{job="raisebook", place="b", instance="b 1"}': "1x200" };
    expectAlerts(ended, 20, {});
  });

  it("the operator's port is closed where a start stands by, and a reader that is gone there is still an alert", () => {
    const takenOver = (standby: string): Series => ({
      'up{job="raisebook", place="a", instance="a:42070"}': "1x10 0x190",
      'up{job="raisebook-indexer", place="a", instance="a:42070"}': "1x10 0x190",
      'up{job="raisebook", place="a", instance="a:42071"}': "1x200",
      'raisebook_instances{job="raisebook", place="a", instance="a:42071", state="standby"}': standby,
    });
    expectAlerts(takenOver("1x200"), 60, {});
    expectAlerts(takenOver("0x200"), 60, { RaisebookReaderGone: 1 });
    const reader = { 'up{job="raisebook", place="a", instance="a:42201"}': "1x10 0x190" };
    expectAlerts({ ...takenOver("1x200"), ...reader }, 60, { RaisebookReaderGone: 1 });
  });
});
