/** @module The version of the service, from the one place that has it. */
import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** Version of the read interface, as the interface document gives it. */
export const API_VERSION = "1.0.0";
