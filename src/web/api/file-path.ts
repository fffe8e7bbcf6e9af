// Which addresses answer a file: of no browser's own types, so that words and tests can name them too.
import type { paths } from "./types.ts";

/** The address of a route that answers a file. */
export type FilePath = Extract<keyof paths, `${string}.${"csv" | "pdf" | "xlsx"}`>;
