// Makes what the pages and the typed client know of the API, where that has changed since: its types
// (`src/web/api/types.ts`, `cli/client/made/`, not committed), and the modules of `madeModules`, which are: pages are
// also built where they are served.
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { accessRoutes } from "../src/people/routes.ts";
import type { Route } from "../src/resources/route.ts";
import { buildOpenApi } from "../src/server/http/openapi/document.ts";
import { allRoutes } from "../src/server/routes.ts";
import { clientRoutes, knownText } from "./api-client.ts";
import { entryTypesText, fieldsText, moreActions, operationsText } from "./api-operations.ts";
import { registerPages, registersText } from "./api-registers.ts";
import { valuesText } from "./api-values.ts";
import { print } from "./print.ts";

const ROOT = join(import.meta.dir, "..");
const TYPES = join(ROOT, "src/web/api/types.ts");
const CLIENT_TYPES = join(ROOT, "cli/client/made/types.ts");
const CLIENT_KNOWN = join(ROOT, "cli/client/made/known.ts");
const GENERATE = `
import { plugin } from "bun";
// The generator builds its output with the compiler's former programming interface.
plugin({ name: "typescript 5", setup: (build) => {
  build.module("typescript", async () => ({ exports: await import("typescript5"), loader: "object" }));
} });
const { default: generate, astToString } = await import("openapi-typescript");
const { factory } = await import("typescript5").then((ts) => ts.default ?? ts);
// Bytes are a Blob to the typed client; pages take them from the response.
const transform = ({ format }) => format === "binary" ? factory.createTypeReferenceNode("Blob") : undefined;
const { document, hasBytes } = await Bun.stdin.json();
process.stdout.write(astToString(await generate(document, hasBytes ? { transform } : {})));
`;

const MENU_HEAD = `// What the side bar and the menus name before any list or form is loaded: registers that have a page by themselves, and
// operations that the pages do not name in their own words. Made by .ci/api-types.ts of src/storage/records/ and
// src/ledger/operations/.
`;

/** The committed modules by file: enumerations of the document, registers, operations, entry types, menus. */
export function madeModules(described: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const menu = [
    `export const REGISTER_PAGES = ${print(registerPages(), "", "export const REGISTER_PAGES = as const;")} as const;`,
    `export const MORE_ACTIONS = ${print(moreActions())} as const;`,
  ];
  return {
    "src/web/api/values.ts": valuesText(described),
    "src/web/api/registers.ts": registersText(),
    "src/web/api/operations.ts": operationsText(),
    "src/web/api/operation-fields.ts": fieldsText(),
    "src/web/api/entry-types.ts": entryTypesText(),
    "src/web/api/menu.ts": `${MENU_HEAD}\n${menu.join("\n\n")}\n`,
  };
}

/** Writes the files, where they are not those of the document as it is now. Throws where they cannot be made. */
export async function makeApiTypes(): Promise<void> {
  const routes = allRoutes("test");
  const described = await buildOpenApi([...routes, ...accessRoutes]);
  for (const [file, text] of Object.entries(madeModules(described))) await writeChanged(join(ROOT, file), text);
  await Promise.all([writeTypes(TYPES, described), makeClientTypes(routes)]);
}

/** Makes the modules of the typed client, which knows what a key may call. */
export async function makeClientTypes(routes: readonly Route[] = allRoutes("test")): Promise<void> {
  const known = clientRoutes(routes);
  await writeChanged(CLIENT_KNOWN, knownText(known));
  await writeTypes(CLIENT_TYPES, await buildOpenApi(known), true);
}

async function writeTypes(file: string, described: object, hasBytes = false): Promise<void> {
  const asked = JSON.stringify({ document: described, hasBytes });
  const head = `// Made by .ci/api-types.ts of the API's document ${Bun.hash(asked).toString(16)}; not committed.\n`;
  if (existsSync(file) && readFileSync(file, "utf8").startsWith(head)) return;
  const child = Bun.spawn([process.execPath, "-e", GENERATE], {
    cwd: ROOT,
    stdin: Buffer.from(asked),
    stdout: "pipe",
    stderr: "inherit",
  });
  const types = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the API's types could not be made");
  await writeWhole(file, head + types);
}

async function writeChanged(file: string, text: string): Promise<void> {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) await writeWhole(file, text);
}

/** Tests in several processes make and read these files: each is there whole, the former or the new one. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  await Bun.write(draft, text);
  renameSync(draft, file);
}

if (import.meta.main) await makeApiTypes();
