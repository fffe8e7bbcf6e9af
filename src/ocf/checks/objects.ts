// The first look at every object of a package: is it one, of a known type, in the right file, of the right shape,
// with an id of its own? Later checks work on the index that is made here. Pure.
import { type Findings, type Place, pointerTo, shown } from "../finding.ts";
import { isObject, type JsonObject, textOf } from "../json.ts";
import { itemsOf, type OcfItem, type OcfPackage } from "../package.ts";
import { canonicalType, type ObjectType, objectType } from "../schemas/registry.ts";
import { checkShape, type ShapeFault } from "./shape.ts";

/** An object of a known type with its place, ready to be pointed at. */
export interface Located extends Place {
  readonly file: string;
  readonly index: number | null;
  /** As the object says. */
  readonly objectType: string;
  readonly id: string | null;
  readonly type: ObjectType;
  readonly value: JsonObject;
}

/** All objects of known types, and where to find them. */
export interface PackageIndex {
  readonly issuer: Located | null;
  /** In the package's order, without the issuer. */
  readonly objects: readonly Located[];
  /** By canonical object type, then id; the first of several. */
  readonly byType: ReadonlyMap<string, ReadonlyMap<string, Located>>;
  /** Issuances by `security_id`; the first of several. */
  readonly issuances: ReadonlyMap<string, Located>;
  /** All objects of the package, of unknown types too, and the issuer. */
  readonly count: number;
}

/** After so many objects a check lets others go on: an import's checks run beside a server's requests. */
export const YIELD_EVERY = 100;

/** Checks each object by itself and ids against each other; makes the index. */
export function* checkObjects(ocf: OcfPackage, findings: Findings): Generator<void, PackageIndex> {
  const objects: Located[] = [];
  const byType = new Map<string, Map<string, Located>>();
  const issuances = new Map<string, Located>();
  const issuer = locateIssuer(ocf);
  let count = ocf.manifest && isObject(ocf.manifest.issuer) ? 1 : 0;
  const enter = (located: Located) => {
    noteShape(located, findings);
    noteDuplicateId(located, byType, findings);
    const securityId = located.type.action === "ISSUANCE" ? textOf(located.value, "security_id") : null;
    if (securityId !== null && !issuances.has(securityId)) issuances.set(securityId, located);
  };
  if (issuer) enter(issuer);
  for (const item of itemsOf(ocf)) {
    if (++count % YIELD_EVERY === 0) yield;
    const located = locate(item, findings);
    if (!located) continue;
    noteFile(located, item, findings);
    enter(located);
    objects.push(located);
  }
  return { issuer, objects, byType, issuances, count };
}

function locateIssuer(ocf: OcfPackage): Located | null {
  const type = objectType("ISSUER");
  const value = ocf.manifest?.issuer;
  if (!type || ocf.manifestName === null || !isObject(value)) return null;
  const place = { file: ocf.manifestName, index: null, pointer: "#/issuer" };
  return { ...place, objectType: "ISSUER", id: textOf(value, "id"), type, value };
}

function locate({ file, index, value }: OcfItem, findings: Findings): Located | null {
  if (!isObject(value)) {
    const detail = `This entry is no object but ${shown(value)}.`;
    findings.problem("not-an-object", { file, index }, detail, "Replace it by an OCF object in braces, or remove it.");
    return null;
  }
  const [name, id] = [value.object_type, textOf(value, "id")];
  const type = objectType(name);
  if (type) return { file, index, objectType: type.objectType, id, type, value };
  const place = { file, index, id, pointer: "#/object_type" };
  const detail = name === undefined ? "The field object_type is missing." : `OCF has no object type ${shown(name)}.`;
  const fix = "Write the object type that the object has, such as STAKEHOLDER or TX_STOCK_ISSUANCE.";
  findings.problem(name === undefined ? "missing-field" : "unknown-type", place, detail, fix);
  return null;
}

function noteFile(located: Located, { fileType }: OcfItem, findings: Findings): void {
  const { type } = located;
  if (type.fileType !== fileType) {
    const detail = `A ${type.objectType} does not belong into a file of type ${fileType}.`;
    const home = type.fileType === null ? "the manifest, as issuer" : `a file of type ${type.fileType}`;
    findings.problem("wrong-file", located, detail, `Move it to ${home}.`);
  } else if (!type.released) {
    const detail = `${type.objectType} exists in OCF's development version only; readers of 1.2.0 do not know it.`;
    findings.warning("development-version", located, detail, "Nothing to do if your readers take it.");
  } else if (!type.admittedToFile) {
    const detail = `OCF's schema of transaction files forgot ${type.objectType}: strict readers refuse it.`;
    findings.warning("not-admitted", located, detail, "Nothing to do if your readers take it.");
  }
}

function noteShape(located: Located, findings: Findings): void {
  const { faults, validInDevelopment } = checkShape(located.type, located.value);
  for (const fault of faults) {
    const place = { ...located, pointer: within(located, fault) };
    if (!validInDevelopment) findings.problem(fault.code, place, fault.detail, fault.fix);
    else {
      const detail = `${fault.detail} The development version of OCF takes it; version 1.2.0 does not.`;
      findings.warning("development-version", place, detail, `For readers of 1.2.0: ${fault.fix}`);
    }
  }
}

/** The fault's pointer; the issuer's points into the manifest. */
function within(located: Located, fault: ShapeFault): string {
  const base = located.pointer ?? "#";
  return base + fault.pointer.slice(1);
}

function noteDuplicateId(located: Located, byType: Map<string, Map<string, Located>>, findings: Findings): void {
  const { id, objectType: type } = located;
  if (id === null) return;
  const key = canonicalType(type);
  const known = byType.get(key) ?? new Map<string, Located>();
  byType.set(key, known);
  const first = known.get(id);
  if (!first) known.set(id, located);
  else if (first.objectType === type) {
    const detail = `The id ${shown(id)} belongs to another ${type} already (${whereIs(first)}).`;
    findings.problem(
      "duplicate-id",
      { ...located, pointer: pointerTo("id") },
      detail,
      "Give this one an id of its own.",
    );
  }
}

/** Where an object stands, for a message: its file, place in it and type. */
export function whereIs(located: Located): string {
  return located.index === null ? located.file : `entry ${located.index + 1} of ${located.file}`;
}
