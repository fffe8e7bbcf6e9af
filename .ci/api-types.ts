// Makes `src/web/api/types.ts`, the API's types for the pages, of our own document: where that has changed since. The file
// is not committed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { accessRoutes } from "../src/people/routes.ts";
import { buildOpenApi } from "../src/server/http/openapi/document.ts";
import { allRoutes } from "../src/server/routes.ts";

const ROOT = join(import.meta.dir, "..");
const FILE = join(ROOT, "src/web/api/types.ts");
const GENERATE = `
import { plugin } from "bun";
// The generator builds its output with the compiler's former programming interface.
plugin({ name: "typescript 5", setup: (build) => {
  build.module("typescript", async () => ({ exports: await import("typescript5"), loader: "object" }));
} });
const { default: generate, astToString } = await import("openapi-typescript");
process.stdout.write(astToString(await generate(await Bun.stdin.json())));
`;

/** Writes the types, where they are not those of the document as it is now. Throws where they cannot be made. */
export async function makeApiTypes(): Promise<void> {
  const document = JSON.stringify(await buildOpenApi([...allRoutes("test"), ...accessRoutes]));
  const head = `// Made by .ci/api-types.ts of the API's document ${Bun.hash(document).toString(16)}; not committed.\n`;
  if (existsSync(FILE) && readFileSync(FILE, "utf8").startsWith(head)) return;
  const child = Bun.spawn([process.execPath, "-e", GENERATE], {
    cwd: ROOT,
    stdin: Buffer.from(document),
    stdout: "pipe",
    stderr: "inherit",
  });
  const types = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the API's types could not be made");
  await Bun.write(FILE, head + types);
}

if (import.meta.main) await makeApiTypes();
