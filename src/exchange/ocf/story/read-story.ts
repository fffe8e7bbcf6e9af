// Reads a package into its story, once, for all listeners: the objects with their places, the transactions in their one
// order, and their links, and what makes an entry of no use. Reports nothing: the checks do. Pure; yields now and then, so
// that a large package does not hold up the event loop.
import { isObject, textOf } from "../json.ts";
import { itemsOf, type OcfItem, type OcfPackage } from "../package.ts";
import { canonicalType, objectType } from "../schemas/schema-registry.ts";
import { type EntryFault, faultsOfEntry } from "./entry-faults.ts";
import { type Links, linksOf } from "./links.ts";
import { isKnown, type OcfObject, YIELD_EVERY } from "./object.ts";
import { inLedgerOrder, type LedgerOrder } from "./order.ts";
import { eventOf, isEvent, type StoryEvent } from "./story-event.ts";

/** The links of a package's events. */
export interface Told<T extends StoryEvent = StoryEvent> extends LedgerOrder<T>, Links<T> {}

/** A package as it was read. */
export interface Story {
  /** The manifest's. */
  readonly issuer: OcfObject | null;
  /** Every entry of the files, in order; one that is not an object of a known type as it stands there. */
  readonly items: readonly (OcfObject | OcfItem)[];
  /** Of the issuer and entries, where there is any: why they cannot be used. */
  readonly faults: ReadonlyMap<OcfObject | OcfItem, readonly EntryFault[]>;
  /** The objects among them. */
  readonly objects: readonly OcfObject[];
  /** By canonical object type, then id; the first of several, the issuer included. */
  readonly byType: ReadonlyMap<string, ReadonlyMap<string, OcfObject>>;
  /** Issuances by `security_id`; the first of several that the package lists. */
  readonly listedIssuances: ReadonlyMap<string, OcfObject>;
  /** How many entries the files have, and the issuer. */
  readonly count: number;
  readonly told: Told;
}

/** Reads a package. */
export function* readStory(ocf: OcfPackage): Generator<void, Story> {
  const items: (OcfObject | OcfItem)[] = [];
  const objects: OcfObject[] = [];
  const byType = new Map<string, Map<string, OcfObject>>();
  const listedIssuances = new Map<string, OcfObject>();
  const faults = new Map<OcfObject | OcfItem, readonly EntryFault[]>();
  const firsts = new Firsts(byType);
  const note = (entry: OcfObject | OcfItem) => {
    const found = faultsOfEntry(entry, isKnown(entry) ? firsts.enter(entry) : null);
    if (found.length > 0) faults.set(entry, found);
  };
  const issuer = issuerOf(ocf);
  if (issuer) note(issuer);
  for (const item of itemsOf(ocf)) {
    if ((items.length + 1) % YIELD_EVERY === 0) yield;
    const object = objectOf(item);
    items.push(object ?? item);
    note(object ?? item);
    if (object === null) continue;
    objects.push(object);
    const securityId = object.type.action === "ISSUANCE" ? textOf(object.value, "security_id") : null;
    if (securityId !== null && !listedIssuances.has(securityId)) listedIssuances.set(securityId, object);
  }
  const count = items.length + (isObject(ocf.manifest?.issuer) ? 1 : 0);
  const told = yield* tell(objects.filter(isEvent));
  return { issuer, items, faults, objects, byType, listedIssuances, count, told };
}

/** What the given events tell, which stand in the package's order. */
export function* tell<T extends StoryEvent>(events: readonly T[]): Generator<void, Told<T>> {
  const links = yield* linksOf(events);
  const order = yield* inLedgerOrder(events);
  return { ...links, ...order };
}

function issuerOf(ocf: OcfPackage): OcfObject | null {
  const type = objectType("ISSUER");
  const value = ocf.manifest?.issuer;
  if (!type || ocf.manifestName === null || !isObject(value)) return null;
  const place = { file: ocf.manifestName, fileType: null, index: null, pointer: "#/issuer" };
  return { ...place, objectType: "ISSUER", id: textOf(value, "id"), type, value };
}

function objectOf({ file, fileType, index, value }: OcfItem): OcfObject | null {
  const type = isObject(value) ? objectType(value.object_type) : null;
  if (!isObject(value) || type === null) return null;
  const object = { file, fileType, index, objectType: type.objectType, id: textOf(value, "id"), type, value };
  return type.fileType === "OCF_TRANSACTIONS_FILE" ? { ...object, ...eventOf(type, value) } : object;
}

/** The first object of each type and id; types that mean the same share their ids in `byType`. */
class Firsts {
  readonly #byType: Map<string, Map<string, OcfObject>>;
  /** Objects whose id an object of another name of their type has, by their own type and id. */
  readonly #byOtherName = new Map<string, OcfObject>();

  constructor(byType: Map<string, Map<string, OcfObject>>) {
    this.#byType = byType;
  }

  /** Enters an object; returns the earlier one of its own type and id. */
  enter(object: OcfObject): OcfObject | null {
    if (object.id === null) return null;
    const key = canonicalType(object.objectType);
    const known = this.#byType.get(key);
    const first = known?.get(object.id);
    if (!known) this.#byType.set(key, new Map([[object.id, object]]));
    else if (!first) known.set(object.id, object);
    if (!first || first.objectType === object.objectType) return first ?? null;
    const named = `${object.objectType} ${object.id}`;
    const earlier = this.#byOtherName.get(named) ?? null;
    if (earlier === null) this.#byOtherName.set(named, object);
    return earlier;
  }
}
