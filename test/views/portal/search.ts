// Searches what the portal shows a person for anything that is not this person's, by what an administrator can read of the
// company.
import { formatDecimal, isDecimalText, parseDecimal, sum } from "../../../src/kernel/numbers/decimal.ts";
import type { Org } from "../health/support.ts";
import type { Json, SecretCompany } from "./secret-company.ts";

/** The portal's answers to one person, by path. */
export type Shown = ReadonlyMap<string, Json>;

/** A company as its administrator reads it. */
export interface Whole {
  readonly stakeholders: readonly Json[];
  readonly securities: readonly Json[];
  readonly entries: readonly Json[];
  readonly documents: readonly Json[];
  readonly classes: readonly Json[];
  readonly plans: readonly Json[];
  readonly valuations: readonly Json[];
  readonly milestones: readonly Json[];
  readonly terms: readonly Json[];
  readonly table: Json;
  readonly positions: ReadonlyMap<string, Json>;
  readonly vestings: ReadonlyMap<string, Json>;
}

/** Reads a company whole. */
export async function readWhole({ org, holders }: SecretCompany): Promise<Whole> {
  const positions = holders.map(
    async (id) => [id, (await org.call("GET", `/stakeholders/${id}/position`)).json] as const,
  );
  const securities = await listAll(org, "/securities");
  const vestings = securities.map(
    async ({ id }) => [id, (await org.call("GET", `/securities/${id}/vesting`)).json] as const,
  );
  return {
    stakeholders: await listAll(org, "/stakeholders"),
    securities,
    vestings: new Map(await Promise.all(vestings)),
    entries: await listAll(org, "/transactions"),
    documents: await listAll(org, "/documents"),
    classes: await listAll(org, "/share-classes"),
    plans: await listAll(org, "/equity-plans"),
    valuations: await listAll(org, "/valuations"),
    milestones: await listAll(org, "/vesting-milestones"),
    terms: await listAll(org, "/vesting-terms"),
    table: (await org.call("GET", "/cap-table")).json.data,
    positions: new Map(await Promise.all(positions)),
  };
}

async function listAll(org: Org, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json }: Json = await org.call("GET", `${path}?limit=100${cursor ? `&cursor=${cursor}` : ""}`);
    rows.push(...(json.items ?? json.data));
    cursor = json.nextCursor;
  }
  return rows;
}

/** Everything in `shown` that is not `own`'s business; empty if all is. */
export function findLeaks(shown: Shown, own: readonly string[], company: SecretCompany, whole: Whole): string[] {
  const texts = [...forbiddenTexts(own, company, whole)];
  const figures = forbiddenFigures(own, whole);
  return [...shown].flatMap(([path, answer]) => {
    const text = JSON.stringify(answer);
    return [
      ...texts.filter((each) => text.includes(each)).map((each) => `${path} says ${each}`),
      ...leaves(answer)
        .filter((leaf) => figures.has(leaf))
        .map((leaf) => `${path} has the figure ${leaf}`),
      ...(/"(?:seq|sequence|metadata|comments|previousHash|relatedObjects)":/.test(text)
        ? [`${path} has a member of ours`]
        : []),
      ...cursorsOf(answer)
        .filter((cursor) => /^\d/.test(cursor) && /^\d{1,9}\./.test(cursor))
        .map((each) => `${path} counts: ${each}`),
    ];
  });
}

function isOwnEntry({ stakeholderId, metadata, recordOnly }: Json, own: readonly string[]): boolean {
  return !recordOnly && (own.includes(stakeholderId) || own.includes(metadata?.toStakeholderId));
}

function* forbiddenTexts(own: readonly string[], { words }: SecretCompany, whole: Whole): Generator<string> {
  const held = whole.securities.filter(({ stakeholderId }) => own.includes(stakeholderId)).map(({ id }) => id);
  const ours = new Set([...own, ...held]);
  for (const [word, whose] of words) if (!ours.has(whose)) yield word;
  const others = (rows: readonly Json[], isOwn: (row: Json) => boolean) => rows.filter((row) => !isOwn(row));
  const never = () => false;
  for (const { id, displayName } of others(whole.stakeholders, ({ id }) => own.includes(id))) {
    yield* [`"${id}"`, `"${displayName}"`];
  }
  for (const { id, certificateId } of others(whole.securities, (row) => own.includes(row.stakeholderId))) {
    yield `"${id}"`;
    // What is left of an imported certificate has its number.
    const isShared = whole.securities.some(
      (row) => row.certificateId === certificateId && own.includes(row.stakeholderId),
    );
    if (certificateId !== null && !isShared) yield `"${certificateId}"`;
  }
  // Deleted ones are in no list: of these an entry says whose they were.
  const known = new Set(whole.securities.map(({ id }) => id));
  const isOwnsDeleted = ({ stakeholderId }: Json) => own.includes(stakeholderId);
  const deleted = new Set(whole.entries.filter(isOwnsDeleted).map(({ securityId }) => securityId));
  const named = whole.entries.flatMap(({ securityId, metadata }) => [securityId, metadata?.newSecurityId]);
  for (const id of named) if (typeof id === "string" && !known.has(id) && !deleted.has(id)) yield `"${id}"`;
  const isSplit = ({ type }: Json) => type === "STOCK_SPLIT";
  for (const { id, hash } of others(whole.entries, (row) => isOwnEntry(row, own) || isSplit(row))) {
    yield* [`"${id}"`, hash];
  }
  const isOwnDocument = ({ isSharedWithHolders, relatedObjects }: Json) =>
    isSharedWithHolders && relatedObjects.some(({ objectId }: Json) => own.includes(objectId));
  for (const { id } of others(whole.documents, isOwnDocument)) yield `"${id}"`;
  for (const rows of [whole.classes, whole.plans, whole.valuations, whole.milestones, whole.terms]) {
    for (const { id } of others(rows, never)) yield `"${id}"`;
  }
}

/** Figures of others and of the whole that are none of the holder's own. */
function forbiddenFigures(own: readonly string[], whole: Whole): ReadonlySet<string> {
  const isOwn = ({ stakeholderId }: Json) => own.includes(stakeholderId);
  const ownEntries = whole.entries.filter((row) => isOwnEntry(row, own));
  const allowed = leaves([
    whole.securities.filter(isOwn).map(({ planCharge: _charge, ...row }) => row),
    own.map((id) => whole.positions.get(id)).map((position) => withoutCharges(position)),
    whole.securities.filter(isOwn).map(({ id }) => outstandingOf(id, own, whole)),
    sumsOf(own.map((id) => whole.positions.get(id))),
    ownEntries.map(({ quantity }) => quantity),
    ownEntries.map(({ metadata }) => [metadata?.pricePerShare, metadata?.exercisePrice]),
  ]);
  const forbidden = leaves([
    whole.securities.filter((row) => !isOwn(row)),
    whole.entries.filter((row) => !isOwnEntry(row, own)),
    [...whole.positions].filter(([id]) => !own.includes(id)).map(([, position]) => position),
    ...[whole.classes, whole.plans, whole.table, whole.valuations],
  ]);
  const known = new Set([...allowed, ...small]);
  return new Set(forbidden.filter((figure) => !known.has(figure)));
}

/** How a security vests; where it was another's before, what is outstanding of it alone. */
function outstandingOf(id: string, own: readonly string[], { vestings, entries }: Whole): Json {
  const isAlwaysOwn = entries.every((row) => row.securityId !== id || own.includes(row.stakeholderId));
  const vesting = vestings.get(id);
  return isAlwaysOwn ? vesting : vesting.parcels;
}

/** What several stakeholders hold together. */
function sumsOf(positions: readonly Json[]): string[] {
  const names = Object.keys(positions[0]?.totals ?? {}).filter((name) => !name.startsWith("percent"));
  return names.map((name) => formatDecimal(sum(positions.map(({ totals }) => parseDecimal(totals[name])))));
}

/** Figures that say nothing. */
const small = Array.from({ length: 1000 }, (_, i) => `${i}`);

function withoutCharges(position: Json): Json {
  return { ...position, securities: position?.securities.map(({ planCharge: _charge, ...row }: Json) => row) };
}

/** Every decimal in an answer, written one way. */
function leaves(value: Json): string[] {
  if (typeof value === "string") return isDecimalText(value) ? [formatDecimal(parseDecimal(value))] : [];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leaves);
}

function cursorsOf(answer: Json): string[] {
  return typeof answer.nextCursor === "string" ? [Buffer.from(answer.nextCursor, "base64url").toString()] : [];
}
