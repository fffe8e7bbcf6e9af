// Checks every object of a package by itself: its type, its file, its shape, and the uniqueness of its id. Pure.
import { type Findings, pointerTo, shown } from "../finding.ts";
import { isObject, textOf } from "../json.ts";
import type { OcfItem } from "../package.ts";
import { canonicalType } from "../schemas/schema-registry.ts";
import { type OcfObject, whereIs, YIELD_EVERY } from "../story/object.ts";
import { isKnown, type Story } from "../story/read-story.ts";
import { checkShape } from "./check-shape.ts";

/** Checks each object by itself, and ids against each other. */
export function* checkObjects(story: Story, findings: Findings): Generator<void> {
  const checkOne = (object: OcfObject) => {
    noteFile(object, findings);
    noteShape(object, findings);
    noteDuplicateId(object, story, findings);
  };
  if (story.issuer) checkOne(story.issuer);
  for (const [i, item] of story.items.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (isKnown(item)) checkOne(item);
    else noteUnknown(item, findings);
  }
}

function noteUnknown({ file, index, value }: OcfItem, findings: Findings): void {
  if (!isObject(value)) {
    const detail = `This entry is no object but ${shown(value)}.`;
    findings.problem("not-an-object", { file, index }, detail, "Replace it by an OCF object in braces, or remove it.");
    return;
  }
  const name = value.object_type;
  const place = { file, index, id: textOf(value, "id"), pointer: "#/object_type" };
  const detail = name === undefined ? "The field object_type is missing." : `OCF has no object type ${shown(name)}.`;
  const fix = "Write the object type that the object has, such as STAKEHOLDER or TX_STOCK_ISSUANCE.";
  findings.problem(name === undefined ? "missing-field" : "unknown-type", place, detail, fix);
}

function noteFile(object: OcfObject, findings: Findings): void {
  const { type, fileType } = object;
  if (type.fileType !== fileType) {
    const detail = `A ${type.objectType} does not belong into a file of type ${fileType}.`;
    const home = type.fileType === null ? "the manifest, as issuer" : `a file of type ${type.fileType}`;
    findings.problem("wrong-file", object, detail, `Move it to ${home}.`);
  } else if (!type.released) {
    const detail = `${type.objectType} exists in OCF's development version only; readers of 1.2.0 do not know it.`;
    findings.warning("development-version", object, detail, "Nothing to do if your readers take it.");
  } else if (!type.admittedToFile) {
    const detail = `OCF's schema of transaction files forgot ${type.objectType}: strict readers refuse it.`;
    findings.warning("not-admitted", object, detail, "Nothing to do if your readers take it.");
  }
}

function noteShape(object: OcfObject, findings: Findings): void {
  const { faults, validInDevelopment } = checkShape(object.type, object.value);
  for (const { code, pointer, detail, fix } of faults) {
    // The issuer's points into the manifest.
    const place = { ...object, pointer: (object.pointer ?? "#") + pointer.slice(1) };
    if (!validInDevelopment) findings.problem(code, place, detail, fix);
    else {
      const since = `${detail} The development version of OCF takes it; version 1.2.0 does not.`;
      findings.warning("development-version", place, since, `For readers of 1.2.0: ${fix}`);
    }
  }
}

function noteDuplicateId(object: OcfObject, { byType }: Story, findings: Findings): void {
  const { id, objectType: type } = object;
  const first = id === null ? undefined : byType.get(canonicalType(type))?.get(id);
  if (!first || first === object || first.objectType !== type) return;
  const place = { ...object, pointer: pointerTo("id") };
  const detail = `The id ${shown(id)} belongs to another ${type} already (${whereIs(first)}).`;
  findings.problem("duplicate-id", place, detail, "Give this one an id of its own.");
}
