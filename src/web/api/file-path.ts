// Addresses of downloads. Free of browser types, so that texts and tests can import it.
import type { paths } from "./types.ts";

/** The address of a route that answers a file. */
export type FilePath = Extract<keyof paths, `${string}.${"csv" | "pdf" | "xlsx"}`>;
