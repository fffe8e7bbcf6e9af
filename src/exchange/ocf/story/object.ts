// An object of a package with its place: the target of findings, and the input of an import. Pure.
import type { FileType } from "../file-types.ts";
import type { Place } from "../finding.ts";
import type { JsonObject } from "../json.ts";
import type { OcfItem } from "../package.ts";
import type { ObjectType } from "../schemas/schema-registry.ts";

/** An object of a known type with its place. */
export interface OcfObject extends Place {
  readonly file: string;
  /** What the file is for; null for the manifest. */
  readonly fileType: FileType | null;
  /** Null for the manifest's issuer. */
  readonly index: number | null;
  /** As the object says. */
  readonly objectType: string;
  readonly id: string | null;
  readonly type: ObjectType;
  readonly value: JsonObject;
}

/** Whether an entry is an object of a known type. */
export function isKnown(item: OcfObject | OcfItem): item is OcfObject {
  return "type" in item;
}

/** After so many objects a check lets others go on: an import's checks run beside a server's requests. */
export const YIELD_EVERY = 100;

/** Where an object stands, for a message: its file, and its place in it. */
export function whereIs({ file, index }: OcfObject): string {
  return index === null ? file : `entry ${index + 1} of ${file}`;
}
