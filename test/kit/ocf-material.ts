// Material of the Open Cap Format that is not of this program: official schemas, packages of others, and independent tools,
// which are second opinions. `test/fixtures/ocf/README.md` says where each comes from.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The folder that holds them. */
export const MATERIAL = join(import.meta.dir, "../fixtures/ocf");
/** The official schemas of OCF 1.2.0. */
export const SCHEMAS = join(MATERIAL, "schema-v1.2.0/schema");
/** Computes a package's cap table. */
export const ORACLE = join(MATERIAL, "ocf-oracle.mjs");
/** Makes valid packages of any size. */
export const GENERATOR = join(MATERIAL, "ocf-gen.mjs");

/** The packages of others: folders with a manifest, and archives. */
export const PACKAGES: readonly string[] = ["packages", "packages-derived"].flatMap((folder) =>
  packagesBelow(join(MATERIAL, folder)),
);

/** Folders with a manifest and archives, at any depth. */
function packagesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some((entry) => /manifest.*\.json$/i.test(entry.name))) return [folder];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return packagesBelow(path);
    return entry.name.endsWith(".zip") ? [path] : [];
  });
}
