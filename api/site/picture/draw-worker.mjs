// A thread that draws: SVG in, PNG out. Plain JavaScript, so that it runs where nothing translates TypeScript. To encode a
// picture takes some twenty milliseconds, which no request should wait for.
import { parentPort, workerData } from "node:worker_threads";
import { Resvg } from "@resvg/resvg-js";

const { fontFiles, fontFamily } = workerData;
const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: fontFamily };

parentPort.on("message", ({ id, svg }) => {
  try {
    const png = new Resvg(svg, { font, logLevel: "off" }).render().asPng();
    parentPort.postMessage({ id, png });
  } catch (error) {
    parentPort.postMessage({ id, problem: String(error) });
  }
});
