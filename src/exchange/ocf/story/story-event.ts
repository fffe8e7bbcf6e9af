// Events of a package's story: what a transaction does, on which day, on which securities, and which ones it makes.
// Read once, so that listeners need not look into its members. Pure.
import { balanceId, ENDINGS, madeBy } from "../codec/ending.ts";
import { dateText } from "../codec/values.ts";
import { type JsonObject, textOf, textsOf } from "../json.ts";
import type { ObjectType } from "../schemas/schema-registry.ts";
import type { OcfObject } from "./object.ts";

/**
 * What an event does: issue a security, split a class, end or lower a security, say something about one that leaves
 * what it holds as it is (acceptance, repricing, vesting), or something else (figures of classes and plans, people).
 */
export type EventKind = "ISSUANCE" | "SPLIT" | "ENDING" | "ABOUT_SECURITY" | "OTHER";

/** A transaction or event of a package. */
export interface StoryEvent extends OcfObject {
  readonly kind: EventKind;
  /** Its day, also where it is written as an instant; empty where it has none. */
  readonly day: string;
  /** The securities that it acts on; an empty id where it names none. */
  readonly sources: readonly string[];
  /** The securities that it makes, its balance included, as it names them: perhaps one twice. */
  readonly makes: readonly string[];
  /** The security that holds what is left. */
  readonly balanceId: string | null;
}

const NO_IDS: readonly string[] = [];

/** What makes an event of a transaction. */
export function eventOf(type: ObjectType, value: JsonObject): Omit<StoryEvent, keyof OcfObject> {
  const kind = kindOf(type);
  const day = dateText(value, "date") ?? "";
  if (kind === "ISSUANCE") return { kind, day, sources: NO_IDS, makes: NO_IDS, balanceId: null };
  const makes = type.action === null ? NO_IDS : madeBy(value);
  const isMany = type.action === "CONSOLIDATION";
  const sources = isMany ? textsOf(value, "security_ids") : [textOf(value, "security_id") ?? ""];
  return { kind, day, sources, makes, balanceId: balanceId(value) };
}

function kindOf({ canonicalType, action }: ObjectType): EventKind {
  if (action === "ISSUANCE") return "ISSUANCE";
  if (canonicalType === "TX_STOCK_CLASS_SPLIT") return "SPLIT";
  if (action !== null) return ENDINGS[action] === undefined ? "ABOUT_SECURITY" : "ENDING";
  return canonicalType.startsWith("TX_VESTING_") ? "ABOUT_SECURITY" : "OTHER";
}

/** Whether an object is a transaction or an event, which apply by date. */
export function isEvent<T extends OcfObject>(object: T): object is T & StoryEvent {
  return "kind" in object;
}
