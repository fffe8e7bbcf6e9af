// The program Litestream: of the machine, or of its package.
import { existsSync } from "node:fs";
import { join } from "node:path";

const OF_PACKAGE = join(
  import.meta.dir,
  `../../node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`,
);

/** Its file; null where it is not here. */
export const LITESTREAM: string | null = Bun.which("litestream") ?? (existsSync(OF_PACKAGE) ? OF_PACKAGE : null);
