// The program Litestream: of its package, or of the machine.
import { existsSync } from "node:fs";
import { join } from "node:path";

const OF_PACKAGE = join(
  import.meta.dir,
  `../../node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`,
);

/** Its file; null where it is not here. `node_modules/.bin`, which `bun run` looks in, has a script that only starts it. */
export const LITESTREAM: string | null = existsSync(OF_PACKAGE) ? OF_PACKAGE : Bun.which("litestream");
