// What an action will change, from the effects of its dry run and the cap table as it is: figures now and after, and who
// owns how much. Exact; pure.

import { formatDecimal, isDecimalText, parseDecimal, sum } from "../../../kernel/numbers/decimal.ts";
import { percentOf } from "../../locale.ts";
import { CHOICE_WORDS } from "../../text/actions/field-words.ts";
import { PREVIEW } from "../../text/actions/preview.ts";
import { CLASSES } from "../../text/classes.ts";
import { labelIn } from "../../text/common.ts";
import { dilutedMoves, type Move, type Rights } from "./diluted.ts";
import type { CapTable, Effect, Facts, Security, SecurityType } from "./spec.ts";

/** A line of the panel: a figure, or a word, now and after. */
export interface Line {
  readonly id: string;
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A bar of use: of a class's authorized shares, or of a plan's reserve. */
export interface Use {
  readonly id: string;
  readonly name: string;
  readonly used: string;
  readonly limit: string;
  readonly isPlan: boolean;
}

/** A holder's part of the fully diluted shares now and after. */
export interface Share {
  readonly id: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What the panel shows. */
export interface Changes {
  readonly lines: readonly Line[];
  readonly uses: readonly Use[];
  /** Of those who receive or give, and of the largest, whose part changes. */
  readonly shares: readonly Share[];
}

/** One record of the effects: a security that is made has no id. */
interface Touched {
  readonly resourceType: string;
  readonly id: string | null;
  readonly fields: ReadonlyMap<string, Effect>;
}

/** The effects by record: those of one stand together, and a new one begins where a member comes again. */
export function touchedBy(effects: readonly Effect[]): readonly Touched[] {
  const records: { resourceType: string; id: string | null; fields: Map<string, Effect> }[] = [];
  for (const effect of effects) {
    const { resourceType, id, field } = effect;
    const last = records.findLast((each) => each.resourceType === resourceType && each.id === id);
    if (last && (id !== null || !last.fields.has(field))) last.fields.set(field, effect);
    else records.push({ resourceType, id, fields: new Map([[field, effect]]) });
  }
  return records;
}

/** What is known of the securities that an action touches, by id. */
export type Known = ReadonlyMap<string, Security>;

/** All that the panel shows. */
export function changesOf(effects: readonly Effect[], facts: Facts, known: Known): Changes {
  const records = touchedBy(effects);
  const moved = movesOf(records, known);
  return {
    lines: [
      ...limitLines(records, facts),
      ...totalLines(moved, records, facts.table),
      ...termLines(records, facts),
      ...recordLines(records, facts, known),
    ],
    uses: usesOf(records, facts),
    shares: moved === null ? [] : sharesOf(moved, records, facts),
  };
}

const figureOf = (effect: Effect | undefined, side: "before" | "after"): bigint | undefined => {
  const value = effect?.[side];
  return typeof value === "string" && isDecimalText(value) ? parseDecimal(value) : undefined;
};

/** What moves between holders; null where a security is not known whose quantity changes. */
function movesOf(records: readonly Touched[], known: Known): readonly Move[] | null {
  const moves: Move[] = [];
  for (const { resourceType, id, fields } of records) {
    const quantity = fields.get("quantity");
    if (resourceType !== "security" || quantity === undefined) continue;
    const before = figureOf(quantity, "before") ?? 0n;
    const by = (figureOf(quantity, "after") ?? 0n) - before;
    const security = id === null ? undefined : known.get(id);
    if (id !== null && security === undefined) return null;
    const holderId = security?.stakeholderId ?? fields.get("stakeholderId")?.after ?? null;
    const type = security?.type ?? (fields.get("type")?.after as SecurityType);
    const classId = security ? security.stockClassId : (fields.get("stockClassId")?.after ?? null);
    const stockClassId = type === "STOCK" || type === "WARRANT" ? (classId as string | null) : null;
    moves.push({ holderId: holderId as string | null, type, stockClassId, before, by });
  }
  return moves;
}

function poolMove(records: readonly Touched[]): bigint {
  const available = records.map(({ fields }) => fields.get("currentSharesReserved"));
  return sum(available.map((each) => (figureOf(each, "after") ?? 0n) - (figureOf(each, "before") ?? 0n)));
}

const counts = ({ type }: Move) => type !== "CONVERTIBLE";

function totalLines(moved: readonly Move[] | null, records: readonly Touched[], table: CapTable | null): Line[] {
  if (moved === null || table === null) return [];
  const stock = sum(moved.filter(({ type }) => type === "STOCK").map(({ by }) => by));
  const diluted = dilutedMoves(moved.filter(counts), rightsAfter(records, table), table);
  const all = diluted === null ? 0n : sum([...diluted.values()]) + poolMove(records);
  const line = (id: "outstanding" | "asConverted", label: string, by: bigint): Line[] => {
    const before = table.totals[id];
    return by === 0n ? [] : [{ id, label, before, after: formatDecimal(parseDecimal(before) + by) }];
  };
  return [...line("outstanding", PREVIEW.outstanding, stock), ...line("asConverted", PREVIEW.fullyDiluted, all)];
}

const LIMITS = ["currentSharesAuthorized", "issued", "totalSharesReserved", "currentSharesReserved"] as const;

function limitLines(records: readonly Touched[], facts: Facts): Line[] {
  return records.flatMap(({ id, fields }) =>
    LIMITS.flatMap((field) => {
      const effect = fields.get(field);
      if (effect === undefined || id === null) return [];
      const { before, after } = effect;
      return [{ id: `${id} ${field}`, label: PREVIEW.limits[field](nameOf(id, facts)), before, after }];
    }),
  );
}

/** The rights that count of the classes of which an action changes them, by class. */
function rightsAfter(records: readonly Touched[], { shareClasses }: CapTable): ReadonlyMap<string, Rights> {
  const common = new Set(shareClasses.filter(({ conversion }) => conversion === null).map(({ id }) => id));
  const changed = records.flatMap(({ resourceType, id, fields }) => {
    const rights = fields.get("conversionRights");
    if (resourceType !== "share-class" || id === null || rights === undefined) return [];
    const counting = ((rights.after ?? []) as readonly Right[]).find(({ stockClassId }) => {
      return stockClassId === null || common.has(stockClassId);
    });
    const { ratio, rounding } = counting ?? { ratio: { numerator: "1", denominator: "1" }, rounding: "FLOOR" };
    return [[id, { ...ratio, rounding: rounding as Rights["rounding"] }] as const];
  });
  return new Map(changed);
}

/** The name of a class or plan. */
function nameOf(id: string, { classes, plans }: Facts): string {
  return [...classes, ...plans].find((each) => each.id === id)?.name ?? PREVIEW.unknown;
}

function usesOf(records: readonly Touched[], { classes, plans, table }: Facts): Use[] {
  return records.flatMap(({ resourceType, id, fields }): Use[] => {
    const after = (field: string) => fields.get(field)?.after as string | undefined;
    const own = classes.find((each) => each.id === id);
    if (resourceType === "share-class" && own) {
      const now = table?.shareClasses.find((each) => each.id === id);
      const used = after("issued") ?? now?.issued ?? "0";
      return [
        {
          id: own.id,
          name: own.name,
          used,
          limit: after("currentSharesAuthorized") ?? own.currentSharesAuthorized,
          isPlan: false,
        },
      ];
    }
    const plan = plans.find((each) => each.id === id);
    if (resourceType !== "equity-plan" || !plan) return [];
    const limit = after("totalSharesReserved") ?? plan.totalSharesReserved;
    const available = after("currentSharesReserved") ?? plan.currentSharesReserved;
    if (!isDecimalText(limit) || !isDecimalText(available)) return [];
    const used = formatDecimal(parseDecimal(limit) - parseDecimal(available));
    return [{ id: plan.id, name: plan.name, used, limit, isPlan: true }];
  });
}

interface Right {
  readonly stockClassId: string | null;
  readonly ratio: { readonly numerator: string; readonly denominator: string };
  readonly conversionPrice: string | null;
  readonly rounding: string;
}

/** What becomes of a class's price, and of how it converts. */
function termLines(records: readonly Touched[], facts: Facts): Line[] {
  return records.flatMap(({ resourceType, id, fields }) => {
    if (resourceType !== "share-class" || id === null) return [];
    const name = nameOf(id, facts);
    const price = fields.get("pricePerShare");
    const rights = fields.get("conversionRights");
    const sideOf = (side: "before" | "after") => (rights?.[side] ?? []) as readonly Right[];
    return [
      ...(price ? [{ id: `${id} price`, label: PREVIEW.price(name), before: price.before, after: price.after }] : []),
      ...sideOf("after").flatMap((after, index) => {
        const before = sideOf("before")[index];
        if (before && rightWords(before, true) === rightWords(after, true)) return [];
        const into = after.stockClassId === null ? PREVIEW.common : nameOf(after.stockClassId, facts);
        const isRounded = before !== undefined && before.rounding !== after.rounding;
        const words = {
          before: before ? rightWords(before, isRounded) : CLASSES.oneForOne,
          after: rightWords(after, isRounded),
        };
        return [{ id: `${id} right ${index}`, label: PREVIEW.converts(name, into), ...words }];
      }),
    ];
  });
}

function rightWords({ ratio, conversionPrice, rounding }: Right, isRounded: boolean): string {
  const words = CLASSES.converts(ratio.numerator, ratio.denominator, conversionPrice);
  return isRounded ? `${words}, ${labelIn(CHOICE_WORDS, rounding)}` : words;
}

/** Members of securities and holders that are told besides; what else a new security has is in the form. */
const TOLD = [
  "quantity",
  "status",
  "expirationDate",
  "vestingStartDate",
  "vestingStoppedOn",
  "relationships",
  "exercisePrice",
  "pricePerShare",
];

function recordLines(records: readonly Touched[], facts: Facts, known: Known): Line[] {
  return records.flatMap(({ resourceType, id, fields }, index) => {
    if (resourceType !== "security" && resourceType !== "stakeholder") return [];
    const isNew = resourceType === "security" && id === null;
    const name = isNew ? newName(fields, facts) : recordName(resourceType, id, facts, known);
    const told = isNew ? TOLD.slice(0, 1) : TOLD;
    return told.flatMap((field) => {
      const effect = fields.get(field);
      if (effect === undefined) return [];
      const label = field === "quantity" ? name : PREVIEW.member(name, field);
      return [{ id: `${id ?? index} ${field}`, label, before: effect.before, after: effect.after }];
    });
  });
}

function recordName(type: string, id: string | null, { holders }: Facts, known: Known): string {
  if (type === "stakeholder") return holders.get(id ?? "")?.displayName ?? PREVIEW.holder;
  const security = known.get(id ?? "");
  if (!security) return PREVIEW.security;
  return PREVIEW.certificate(security.certificateId, holders.get(security.stakeholderId ?? "")?.displayName);
}

function newName(fields: Touched["fields"], { holders }: Facts): string {
  const type = fields.get("type")?.after as SecurityType;
  const holder = holders.get(String(fields.get("stakeholderId")?.after))?.displayName;
  return PREVIEW.made(type, holder);
}

const SHOWN = 5;

function sharesOf(moved: readonly Move[], records: readonly Touched[], { table, holders }: Facts): Share[] {
  const moves = moved.filter((move) => counts(move) && move.holderId !== null);
  const pool = poolMove(records);
  const diluted = table === null ? null : dilutedMoves(moves, rightsAfter(records, table), table);
  if (table === null || diluted === null || (diluted.size === 0 && pool === 0n)) return [];
  const held = new Map(table.stakeholders.map(({ id, asConverted }) => [id ?? "", parseDecimal(asConverted)]));
  const before = new Map(held);
  for (const [id, by] of diluted) held.set(id, (held.get(id) ?? 0n) + by);
  const wholeBefore = table.totals.asConverted;
  const wholeAfter = formatDecimal(parseDecimal(wholeBefore) + sum([...diluted.values()]) + pool);
  const names = new Map(table.stakeholders.map(({ id, displayName }) => [id ?? "", displayName]));
  const own = new Set(moves.map(({ holderId }) => holderId ?? ""));
  const ranked = [...held.keys()].toSorted((a, b) => compare(held.get(b) ?? 0n, held.get(a) ?? 0n));
  const shown = [...ranked.filter((id) => own.has(id)), ...ranked.filter((id) => !own.has(id))].slice(0, SHOWN);
  const rows = shown.map((id) => ({
    id,
    name: names.get(id) ?? holders.get(id)?.displayName ?? PREVIEW.holder,
    before: percentOf(formatDecimal(before.get(id) ?? 0n), wholeBefore) ?? "0",
    after: percentOf(formatDecimal(held.get(id) ?? 0n), wholeAfter) ?? "0",
  }));
  return rows.filter((row) => row.before !== row.after);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a > b ? 1 : -1;
}
