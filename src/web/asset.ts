// What the pages are made of once they are built: named files, and the shell that loads them.

/** A file of the pages. */
export interface Asset {
  /** As the last part of its address: `app-1a2b3c.js`. */
  readonly name: string;
  readonly contentType: string;
  /** Whether the bytes are gzipped; fonts are compact already. */
  readonly isGzipped: boolean;
  /** Read when first asked for. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/** All that a browser is given. */
export interface WebFiles {
  /** The shell: the one document, at every address of a page. */
  readonly html: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** What a file is, by its name. */
export function contentTypeOf(name: string): string {
  if (name.endsWith(".js")) return "text/javascript; charset=utf-8";
  return name.endsWith(".css") ? "text/css; charset=utf-8" : "font/woff2";
}
