// The official schemas of OCF 1.2.0 as validators.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { SCHEMAS } from "../../kit/ocf-material.ts";

let made: Map<string, ValidateFunction> | null = null;

/** The official validators by object type and by file type; made once, which takes longer than most tests. */
export function officialValidators(): ReadonlyMap<string, ValidateFunction> {
  made ??= makeValidators();
  return made;
}

function makeValidators(): Map<string, ValidateFunction> {
  const schemas = readdirSync(SCHEMAS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".schema.json"))
    .map((name) => JSON.parse(readFileSync(join(SCHEMAS, name), "utf8")));
  const ajv = new Ajv({ schemas, strict: false });
  addFormats(ajv);
  const validators = new Map<string, ValidateFunction>();
  for (const schema of schemas) {
    const { object_type: type, file_type: file } = schema.properties ?? {};
    const names = schema.$id.includes("/objects/") ? (type?.enum ?? [type?.const]) : [file?.const];
    const validate = ajv.getSchema(schema.$id);
    for (const name of names) if (name && validate) validators.set(name, validate);
  }
  return validators;
}

/** A file of a package: the manifest, a list of objects, or the issuer alone. */
interface PackageFile {
  readonly file_type?: unknown;
  readonly object_type?: unknown;
  readonly items?: unknown;
}

/** What the official schemas find wrong in a package's files, each by the file type and the object type that it names. */
export function officialFaults(files: readonly PackageFile[]): string[] {
  const validators = officialValidators();
  const faults: string[] = [];
  const check = (type: unknown, value: unknown) => {
    const validate = validators.get(String(type));
    if (validate?.(value) !== true) faults.push(`${type}: ${JSON.stringify(validate?.errors ?? "unknown")}`);
  };
  for (const file of files) {
    check(file.file_type ?? file.object_type, file);
    for (const item of Array.isArray(file.items) ? file.items : []) check(item.object_type, item);
  }
  return faults;
}
