// Makes what the pages know of the API, of our own document, where that has changed since: its types
// (`src/web/api/types.ts`, not committed), its enumerations (`src/web/api/values.ts`) and the registers of records
// (`registers.ts`, `register-pages.ts` there), committed: pages are also built where they are served.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { accessRoutes } from "../src/people/routes.ts";
import { buildOpenApi } from "../src/server/http/openapi/document.ts";
import { allRoutes } from "../src/server/routes.ts";
import { registerPagesText, registersText } from "./api-registers.ts";
import { valuesText } from "./api-values.ts";

const ROOT = join(import.meta.dir, "..");
const TYPES = join(ROOT, "src/web/api/types.ts");
const VALUES = join(ROOT, "src/web/api/values.ts");
const REGISTER_PAGES = join(ROOT, "src/web/api/register-pages.ts");
const REGISTERS = join(ROOT, "src/web/api/registers.ts");
const GENERATE = `
import { plugin } from "bun";
// The generator builds its output with the compiler's former programming interface.
plugin({ name: "typescript 5", setup: (build) => {
  build.module("typescript", async () => ({ exports: await import("typescript5"), loader: "object" }));
} });
const { default: generate, astToString } = await import("openapi-typescript");
process.stdout.write(astToString(await generate(await Bun.stdin.json())));
`;

/** Writes the files, where they are not those of the document as it is now. Throws where they cannot be made. */
export async function makeApiTypes(): Promise<void> {
  const described = await buildOpenApi([...allRoutes("test"), ...accessRoutes]);
  await writeChanged(VALUES, valuesText(described));
  await writeChanged(REGISTERS, registersText());
  await writeChanged(REGISTER_PAGES, registerPagesText());
  const document = JSON.stringify(described);
  const head = `// Made by .ci/api-types.ts of the API's document ${Bun.hash(document).toString(16)}; not committed.\n`;
  if (existsSync(TYPES) && readFileSync(TYPES, "utf8").startsWith(head)) return;
  const child = Bun.spawn([process.execPath, "-e", GENERATE], {
    cwd: ROOT,
    stdin: Buffer.from(document),
    stdout: "pipe",
    stderr: "inherit",
  });
  const types = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the API's types could not be made");
  await Bun.write(TYPES, head + types);
}

async function writeChanged(file: string, text: string): Promise<void> {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) await Bun.write(file, text);
}

if (import.meta.main) await makeApiTypes();
