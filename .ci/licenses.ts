// Writes `cli/assets/licenses.txt`, what `captable licenses` prints: every package that the executable can hold, found
// by walking the dependencies from package.json, with its licence's whole text. `bun .ci/licenses.ts`; a test compares.
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "..");
/** In the executable without being imported: the API reference's files, and what the token is compiled from. */
export const EMBEDDED = ["swagger-ui-dist", "@openzeppelin/contracts"];
/** Taken by a package where it is installed, and so in the executable. */
const OPTIONAL = ["supports-color"];
const RULE = "=".repeat(80);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const BUN = `Bun ${Bun.version}: the runtime inside the executable. MIT, Copyright (c) Oven. It links, among others,
WebKit's JavaScriptCore (LGPL-2.0 and BSD), BoringSSL (OpenSSL, ISC), and SQLite (public domain); the whole list, and
how to link it with another JavaScriptCore: https://bun.com/docs/project/licensing`;
const MPL = `Packages under the MPL-2.0 are unchanged; their source code is what the npm registry serves under the name and
version given, for instance: npm pack @ethereumjs/evm`;

/** The folder of a package as one that lies in \`from\` finds it, or null (an optional one that is not installed). */
function findPackage(name: string, from: string): string | null {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
  }
  return null;
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function collect(name: string, from: string, folders: Set<string>): void {
  const folder = findPackage(name, from);
  if (folder === null || folders.has(folder)) return;
  folders.add(folder);
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta: meta = {} } = readPackage(folder);
  const peers = Object.keys(peerDependencies).filter((peer) => meta[peer]?.optional !== true);
  for (const dependency of [...Object.keys(dependencies), ...peers]) collect(dependency, folder, folders);
}

function licenseText(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const own = names.sort().map((name) => readFileSync(join(folder, name), "utf8").replace(/\r/g, "").trim());
  if (own.length > 0) return own.join("\n\n");
  const { license } = readPackage(folder);
  if (license === "MIT") return MIT;
  return `(The package holds no text of its own. It is under the ${license}, whose text is printed with others here.)`;
}

const MIT = `Copyright (c) the authors of the packages named above.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

function describe({ name, version, license, repository }: Package): string {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  return [`${name} ${version}`, license ?? "see the text", url.replace(/^git\+/, "")]
    .filter((part) => part !== "")
    .join(", ");
}

/** The whole text. Packages with one and the same licence text share it. */
export function licensesText(): string {
  const folders = new Set<string>();
  const own = readPackage(ROOT);
  for (const name of [...Object.keys(own.dependencies ?? {}), ...EMBEDDED, ...OPTIONAL]) collect(name, ROOT, folders);
  const byText = new Map<string, string[]>();
  for (const folder of folders) {
    const text = licenseText(folder);
    byText.set(text, [...(byText.get(text) ?? []), describe(readPackage(folder))]);
  }
  const parts = [...byText].map(([text, packages]) => ({ title: [...new Set(packages)].sort().join("\n"), text }));
  parts.sort((a, b) => (a.title < b.title ? -1 : 1));
  const intro = `captable holds the work of others. Thank you.\n\n${BUN}\n\n${MPL}`;
  return `${[intro, ...parts.map(({ title, text }) => `${title}\n\n${text}`)].join(`\n\n${RULE}\n`)}\n`;
}

if (import.meta.main) await Bun.write(join(ROOT, "cli/assets/licenses.txt"), licensesText());
