/** @module The version of the service, read from its single source. */
import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** Version of the read interface, as the interface document gives it. */
export const API_VERSION = "1.0.0";
