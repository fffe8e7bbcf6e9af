// Checks references: each id that an object names exists in the package, with the right kind of object. Fields are
// known by name, since OCF calls a reference to one kind of object the same everywhere. Pure.
import { codecOf } from "../codec/registry.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { isObject, type JsonObject, objectsOf, textOf } from "../json.ts";
import { canonicalType } from "../schemas/schema-registry.ts";
import { type OcfObject, YIELD_EVERY } from "../story/object.ts";
import type { Story } from "../story/read-story.ts";

/** The target of a reference. */
export type Target = "SECURITY" | "ISSUANCE" | (string & {});

/** What OCF's reference fields name: an object type, a security (by its issuance), or an issuance by its own id. */
const REFERENCES: ReadonlyMap<string, Target> = new Map(
  Object.entries({
    stakeholder_id: "STAKEHOLDER",
    stock_class_id: "STOCK_CLASS",
    stock_class_ids: "STOCK_CLASS",
    converts_to_stock_class_id: "STOCK_CLASS",
    include_stock_class_ids: "STOCK_CLASS",
    stock_plan_id: "STOCK_PLAN",
    include_stock_plans_ids: "STOCK_PLAN",
    vesting_terms_id: "VESTING_TERMS",
    stock_legend_ids: "STOCK_LEGEND_TEMPLATE",
    issuer_id: "ISSUER",
    split_transaction_id: "TX_STOCK_CLASS_SPLIT",
    security_id: "SECURITY",
    security_ids: "SECURITY",
    balance_security_id: "SECURITY",
    resulting_security_ids: "SECURITY",
    resulting_security_id: "SECURITY",
    include_security_ids: "SECURITY",
    exclude_security_ids: "SECURITY",
    issuance_ids: "ISSUANCE",
  }),
);

/** What messages call a missing target that is not a record; records are called by their codecs' words. */
const NOUNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ISSUER: "issuer",
    TX_STOCK_CLASS_SPLIT: "stock split",
    SECURITY: "issued security",
    ISSUANCE: "issuance",
  }),
);

/** Whether the target exists outside the package: in the organization that it is imported into. */
export type Elsewhere = (target: Target, id: string) => boolean;

interface Context {
  readonly story: Story;
  readonly findings: Findings;
  readonly isElsewhere: Elsewhere;
}

/** The same for the references of one object. */
interface OfObject extends Context {
  readonly at: OcfObject;
}

/** Checks every reference of every object. */
export function* checkReferences(story: Story, findings: Findings, isElsewhere: Elsewhere): Generator<void> {
  for (const [i, at] of story.objects.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    const context = { story, findings, isElsewhere, at };
    checkWithin(at.value, null, context);
    if (at.objectType === "DOCUMENT") checkDocument(context);
  }
}

/** The way to a nested value, from its last step: a member's name or a list's index. Null: the object itself. */
type Path = { readonly before: Path; readonly step: string | number } | null;

/** Most objects have nothing wrong, so that their paths are written out for those that have. */
function stepsOf(path: Path): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = path; at !== null; at = at.before) steps.unshift(at.step);
  return steps;
}

function checkWithin(object: JsonObject, path: Path, context: OfObject): void {
  for (const field of Object.keys(object)) {
    const member = object[field];
    const named = REFERENCES.get(field);
    const target = named !== undefined && isOwnSecurity(context.at, field, path) ? undefined : named;
    if (typeof member !== "object") {
      if (target !== undefined) checkOne(target, member, { before: path, step: field }, context);
    } else if (Array.isArray(member)) {
      const list: Path = { before: path, step: field };
      for (const [i, value] of member.entries()) checkValue(target, value, { before: list, step: i }, context);
    } else checkValue(target, member, { before: path, step: field }, context);
  }
}

function checkValue(target: Target | undefined, value: unknown, path: Path, context: OfObject): void {
  if (isObject(value)) checkWithin(value, path, context);
  else if (target !== undefined) checkOne(target, value, path, context);
}

/** An issuance's own `security_id` defines the security and is not a reference. */
function isOwnSecurity(at: OcfObject, field: string, path: Path): boolean {
  return field === "security_id" && path === null && at.type.action === "ISSUANCE";
}

function checkOne(target: Target, id: unknown, path: Path, context: OfObject): void {
  const { at, findings } = context;
  if (typeof id !== "string" || exists(target, id, context)) return;
  const steps = stepsOf(path);
  const place = { ...at, pointer: pointerTo(...steps) };
  const field = steps.find((step) => typeof step === "string" && REFERENCES.has(step));
  if (id === "" && field === "balance_security_id") {
    const detail = "balance_security_id is empty. It was read as: there is no balance.";
    findings.warning("empty-reference", place, detail, "Leave the field out where nothing is left over.");
    return;
  }
  const name = codecOf(target)?.noun ?? NOUNS.get(target) ?? target;
  const detail = `${field} names ${shown(id)}, but the package has no ${name} with that id.`;
  const fix =
    target === "SECURITY"
      ? "Add the issuance of that security, or correct the security_id."
      : `Add the ${name}, or write the id of one that is there.`;
  findings.problem("dangling-reference", place, detail, fix);
}

function exists(target: Target, id: string, { story, isElsewhere }: Context): boolean {
  return isInPackage(target, id, story) || isElsewhere(target, id);
}

function isInPackage(target: Target, id: string, story: Story): boolean {
  if (target === "SECURITY") return story.listedIssuances.has(id);
  if (target !== "ISSUANCE") return story.byType.get(target)?.has(id) ?? false;
  return [...story.byType].some(([type, ids]) => type.endsWith("_ISSUANCE") && ids.has(id));
}

function checkDocument(context: OfObject): void {
  const { at } = context;
  for (const [i, related] of objectsOf(at.value, "related_objects").entries()) {
    const [type, id] = [textOf(related, "object_type"), textOf(related, "object_id")];
    if (type === null || id === null || exists(canonicalType(type), id, context)) continue;
    const place = { ...at, pointer: pointerTo("related_objects", i, "object_id") };
    const detail = `The document belongs to ${type} ${shown(id)}, which is not in the package.`;
    context.findings.problem("dangling-reference", place, detail, "Correct the id, or remove the entry.");
  }
}
