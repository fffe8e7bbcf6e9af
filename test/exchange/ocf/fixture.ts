// The project's own small OCF package, as something to change: `change` it, then read it as a zip whose checksums are
// right again, so that a test sees the fault that it made and no other.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { type Validation, validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { readZip } from "./reading.ts";

/** Where the fixture lies, unpacked. */
export const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");

/** JSON that a test may change at will. */
export type Fields = { [name: string]: unknown };

/** The objects in a list of unknown shape. */
export function listed(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter((each) => each !== null && typeof each === "object") : [];
}

/** The fixture's files, parsed. */
export class Small {
  readonly files = new Map<string, Fields>();
  /** Files with these exact bytes, whatever the parsed ones say. */
  readonly raw = new Map<string, Uint8Array>();
  /** Whether the manifest's checksums are set right before packing. */
  rehash = true;

  constructor() {
    for (const name of readdirSync(SMALL)) this.files.set(name, JSON.parse(readFileSync(join(SMALL, name), "utf8")));
  }

  get manifest(): Fields {
    return this.file("ocf_manifest.json");
  }

  file(name: string): Fields {
    const file = this.files.get(name);
    if (!file) throw new Error(`the fixture has no ${name}`);
    return file;
  }

  /** The object with that id, in any file. */
  get(id: string): Fields {
    for (const file of this.files.values()) {
      const found = listed(file.items).find((item) => item.id === id);
      if (found) return found;
    }
    throw new Error(`the fixture has no ${id}`);
  }

  /** Adds an object to a file. */
  add(key: string, object: object): void {
    const list: unknown = this.file(`${key}.json`).items;
    if (Array.isArray(list)) list.push(object);
  }

  bytesOf(name: string): Uint8Array {
    return this.raw.get(name) ?? new TextEncoder().encode(JSON.stringify(this.files.get(name)));
  }

  zip(): Uint8Array {
    if (this.rehash) {
      for (const list of Object.values(this.manifest)) {
        for (const entry of listed(list)) {
          const name = String(entry.filepath).replace("./", "");
          if (!this.files.has(name) && !this.raw.has(name)) continue;
          entry.md5 = createHash("md5").update(this.bytesOf(name)).digest("hex");
        }
      }
    }
    const names = new Set([...this.files.keys(), ...this.raw.keys()]);
    return zipSync(Object.fromEntries([...names].map((name) => [name, this.bytesOf(name)])), { level: 1 });
  }

  async validate(): Promise<Validation> {
    return validatePackage(await readZip(this.zip()));
  }
}
