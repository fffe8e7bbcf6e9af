// Faults of an entry of a package's files for which it cannot be used at all: it is no object that files may have, its id
// cannot be one, or an earlier object has it. Found once, when the package is read; a validation reports them, and an
// import refuses the entry with them. Pure.
import { faultOfId } from "../codec/values.ts";
import { type Place, pointerTo, shown } from "../finding.ts";
import { isObject, textOf } from "../json.ts";
import type { OcfItem } from "../package.ts";
import { isKnown, type OcfObject, whereIs } from "./object.ts";

/** One fault with its place. */
export interface EntryFault extends Place {
  readonly code: "not-an-object" | "missing-field" | "unknown-type" | "wrong-file" | "wrong-id" | "duplicate-id";
  readonly detail: string;
  readonly fix: string;
}

const NO_FAULTS: readonly EntryFault[] = [];

/** The faults of an entry, the one first that an import names; `first` is the first object of the same type and id. */
export function faultsOfEntry(entry: OcfObject | OcfItem, first: OcfObject | null): readonly EntryFault[] {
  if (!isKnown(entry)) return [faultOfKind(entry)];
  const faults = [
    ...(entry.type.fileType === null && entry.index !== null ? [wrongFile(entry)] : []),
    ...(faultOfId(entry.id) === null ? [] : [wrongId(entry)]),
    ...(first === null ? [] : [duplicateId(entry, first)]),
  ];
  return faults.length === 0 ? NO_FAULTS : faults;
}

function faultOfKind({ file, index, value }: OcfItem): EntryFault {
  if (!isObject(value)) {
    const detail = `This entry is no object but ${shown(value)}.`;
    return { code: "not-an-object", file, index, detail, fix: "Replace it by an OCF object in braces, or remove it." };
  }
  const name = value.object_type;
  const place = { file, index, id: textOf(value, "id"), pointer: "#/object_type" };
  const fix = "Write the object type that the object has, such as STAKEHOLDER or TX_STOCK_ISSUANCE.";
  if (name === undefined) return { code: "missing-field", ...place, detail: "The field object_type is missing.", fix };
  return { code: "unknown-type", ...place, detail: `OCF has no object type ${shown(name)}.`, fix };
}

/** An object stands in a file of another type than its own. */
export function wrongFile({ type, fileType, ...object }: OcfObject): EntryFault {
  const home = type.fileType === null ? "the manifest, as issuer" : `a file of type ${type.fileType}`;
  const detail = `A ${type.objectType} does not belong into a file of type ${fileType}.`;
  return { code: "wrong-file", ...placeOf(object), detail, fix: `Move it to ${home}.` };
}

function wrongId(object: OcfObject): EntryFault {
  const pointer = `${object.pointer ?? "#"}/id`;
  const detail = faultOfId(object.id) ?? "";
  const fix = "Correct it: an import refuses the object as it is.";
  return { code: "wrong-id", ...placeOf(object), pointer, detail, fix };
}

function duplicateId(object: OcfObject, first: OcfObject): EntryFault {
  const detail = `The id ${shown(object.id)} belongs to another ${object.objectType} already (${whereIs(first)}).`;
  const fix = "Give this one an id of its own.";
  return { code: "duplicate-id", ...placeOf(object), pointer: pointerTo("id"), detail, fix };
}

function placeOf({ file, index, objectType, id, pointer = "#" }: Place): Place {
  return { file: file ?? null, index: index ?? null, objectType: objectType ?? null, id: id ?? null, pointer };
}
