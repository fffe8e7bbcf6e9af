// Checks every object of a package by itself: its type, its file, its shape, and the uniqueness of its id. Pure.
import type { Findings } from "../finding.ts";
import type { OcfItem } from "../package.ts";
import { type EntryFault, wrongFile } from "../story/entry-faults.ts";
import { isKnown, type OcfObject, YIELD_EVERY } from "../story/object.ts";
import type { Story } from "../story/read-story.ts";
import { checkShape } from "./check-shape.ts";

/** Checks each object by itself, and ids against each other. */
export function* checkObjects(story: Story, findings: Findings): Generator<void> {
  const checkOne = (object: OcfObject) => {
    noteFile(object, findings);
    noteShape(object, findings);
    noteFaults(object, story, findings, (code) => code === "duplicate-id");
  };
  if (story.issuer) checkOne(story.issuer);
  for (const [i, item] of story.items.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (isKnown(item)) checkOne(item);
    else noteFaults(item, story, findings);
  }
}

/** What the reading found; a wrong id is reported where no other check has said so. */
function noteFaults(
  entry: OcfObject | OcfItem,
  { faults }: Story,
  findings: Findings,
  isMeant: (code: EntryFault["code"]) => boolean = () => true,
): void {
  for (const fault of faults.get(entry) ?? []) {
    if (isMeant(fault.code)) findings.problem(fault.code, fault, fault.detail, fault.fix);
  }
}

function noteFile(object: OcfObject, findings: Findings): void {
  const { type, fileType } = object;
  if (type.fileType !== fileType) {
    const fault = wrongFile(object);
    findings.problem(fault.code, fault, fault.detail, fault.fix);
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
