// The program's version.
import packageJson from "../../package.json" with { type: "json" };

/** The program's version, as in package.json. */
export const VERSION: string = packageJson.version;
