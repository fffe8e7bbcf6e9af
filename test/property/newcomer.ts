// An organization that packages come into and that is edited meanwhile, and what must hold of it at any moment.
import { expect } from "bun:test";
import type { Writer } from "../../src/database/writer.ts";
import { formatDecimal, parseDecimal, sum } from "../../src/kernel/decimal.ts";
import { iterateEntries } from "../../src/ledger/store.ts";
import type { ImportReport } from "../../src/ocf/import/report.ts";
import { importPackage } from "../../src/ocf/import/run.ts";
import { getOrganization, insertOrganization } from "../../src/resources/organization/store.ts";
import type { Difference } from "../../src/verify/report.ts";
import { iterateSecurityRows } from "../../src/verify/store.ts";
import { verifyOrganization } from "../../src/verify/verify.ts";
import { totalsOf } from "../ocf/adds-up.ts";
import type { Fields } from "../ocf/objects.ts";
import { type ReadTotals, readTotals } from "../ocf/reader.ts";
import { type CapTable, expectSound } from "../support/cap-table.ts";
import type { Choice } from "./choosing.ts";
import { Company, newCall } from "./company.ts";
import { type Exported, exportedFrom, isSplit, objectsOf, packageWith } from "./cut.ts";
import { LAST_DAY, TODAY } from "./model/dates.ts";
import { newModel } from "./model/start.ts";
import { at, type Model } from "./model/state.ts";
import type { Step } from "./model/step.ts";
import { show, type Units, units } from "./model/units.ts";
import type { Tally } from "./tally.ts";

/** What was changed here, in the words of TRUTH section 3; ids. */
export interface Changed {
  /** Securities of which quantity, holder, class, plan or status was changed. */
  readonly securities: ReadonlySet<string>;
  /** Securities with a vesting fact. */
  readonly vesting: ReadonlySet<string>;
  /** Classes whose stock was changed, or issued, or split. */
  readonly classes: ReadonlySet<string>;
  /** Classes and plans that were deleted. */
  readonly deleted: ReadonlySet<string>;
  /** Splits, with the days on which the export has them: by them what comes in later is multiplied. */
  readonly splits: readonly { readonly stockClassId: string; readonly day: string }[];
}

export class Newcomer {
  readonly company: Company;
  readonly #writer: Writer;
  readonly #changed = {
    securities: new Set<string>(),
    vesting: new Set<string>(),
    classes: new Set<string>(),
    deleted: new Set<string>(),
  };

  readonly #gained = new Map<string, Units>();

  constructor(writer: Writer, company: Company) {
    this.#writer = writer;
    this.company = company;
  }

  /** Makes an organization in which nothing is yet. */
  static make(writer: Writer): Promise<Newcomer> {
    return writer.submit((tx) => {
      const id = Bun.randomUUIDv7();
      insertOrganization(tx, { id, legalName: "Newcomer, Inc.", isNamed: 1, createdAt: `${TODAY}T00:00:00.000Z` });
      return new Newcomer(writer, new Company(tx, id));
    });
  }

  /** What edits gave holders, or took from them, by `holder|family|class`, as the reader's totals have it. */
  get gained(): ReadonlyMap<string, Units> {
    return this.#gained;
  }

  get changed(): Changed {
    const made = new Set(
      [...iterateEntries(this.company.tx, this.company.orgId)].filter(isMadeHere).map(({ id }) => id),
    );
    const splits = this.exported().transactions.filter((object) => isSplit(object) && made.has(String(object.id)));
    const days = splits.map(({ stock_class_id: id, date }) => ({ stockClassId: String(id), day: String(date) }));
    return { ...this.#changed, splits: days };
  }

  /** The same organization as it is known now, for where a backup of now is restored. */
  remembered(): (writer: Writer) => Promise<Newcomer> {
    const { orgId } = this.company;
    const [ids, changed] = [structuredClone(this.company.ids), structuredClone(this.#changed)];
    return (writer) =>
      writer.submit((tx) => {
        const known = new Newcomer(writer, new Company(tx, orgId));
        Object.assign(known.company.ids, ids);
        Object.assign(known.#changed, changed);
        return known;
      });
  }

  /** Imports a package through the writer, as the command and the API do. */
  import(exported: Exported, writer = this.#writer): Promise<ImportReport> {
    const { orgId } = this.company;
    return importPackage({ writer, call: () => newCall(orgId, "POST /ocf-import") }, packageWith(exported));
  }

  /** Makes choices by what is here, notes what they changed, and tells what was done. */
  edit(choices: readonly Choice[], tally: Tally, told: Step[]): Promise<void> {
    return this.#writer.submit(() => {
      for (const choose of choices) {
        const step = choose(seenIn(this.company));
        if (step === null) continue;
        const [before, head, had] = [holdingsIn(this.company), lengthOf(this.company), sumsIn(this.company)];
        const { isDone } = this.company.run(step);
        tally.count(step.op, isDone);
        if (!isDone) continue;
        told.push(step);
        this.#note(before, head);
        for (const [key, gain] of gainOf(had, sumsIn(this.company))) addTo(this.#gained, key, gain);
        if (step.op === "delete-class") this.#changed.deleted.add(at(this.company.ids.classes, step.stockClass));
        if (step.op === "delete-plan") this.#changed.deleted.add(at(this.company.ids.plans, step.plan));
      }
    });
  }

  #note(before: ReadonlyMap<string, Holding>, head: number): void {
    const { securities, vesting, classes } = this.#changed;
    const after = holdingsIn(this.company);
    for (const [id, holding] of after) {
      const was = before.get(id);
      if (was && JSON.stringify(was) === JSON.stringify(holding)) continue;
      if (was) securities.add(id);
      for (const each of [was, holding])
        if (each?.type === "STOCK" && each.stockClassId) classes.add(each.stockClassId);
    }
    for (const entry of iterateEntries(this.company.tx, this.company.orgId)) {
      const { sequence, type, securityId, metadata, recordOnly } = entry;
      if (sequence <= head || recordOnly === 1) continue;
      if (type.startsWith("VESTING_") && securityId !== null) vesting.add(securityId);
      if (type !== "STOCK_SPLIT") continue;
      const { stockClassId, inferredSecurityIds } = JSON.parse(metadata ?? "{}");
      classes.add(stockClassId);
      // A split counts for what it concerns, whatever its ratio makes of it.
      const isConcerned = ([id, was]: [string, Holding]) =>
        was.isHeld && (was.stockClassId === stockClassId || inferredSecurityIds.includes(id));
      for (const [id] of [...before].filter(isConcerned)) securities.add(id);
    }
  }

  /** What the API shows. */
  totals(): Promise<ReadTotals> {
    return totalsOf(async <T>(path: string) => {
      const items: T[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = this.company.read(path, { limit: "100", ...(cursor && { cursor }) }) as Page<T>;
        items.push(...page.items);
        cursor = page.nextCursor;
      }
      return items;
    });
  }

  exported(): Exported {
    return exportedFrom(this.#writer.db, this.company.orgId);
  }

  /** The cap table as of a day. */
  view(asOf: string): CapTable {
    return (this.company.read("/cap-table", { asOf }) as { readonly data: CapTable }).data;
  }

  /**
   * Expects the export to add up to what the API shows, the ledger to explain every row, and views of all days to be
   * sound; answers what the API shows.
   */
  async expectAddsUp(): Promise<ReadTotals> {
    const { company } = this;
    const totals = await this.totals();
    expect(comparable(this.exported(), totals)).toEqual(totals);
    const { data } = company.read("/cap-table/summary") as { readonly data: { readonly totalIssued: string } };
    const issued = sum(Object.values(totals.classes).map(parseDecimal));
    expect(formatDecimal(parseDecimal(data.totalIssued))).toBe(formatDecimal(issued));
    const found: { differences: Difference[]; notes: Difference[] } = { differences: [], notes: [] };
    verifyOrganization(company.tx, getOrganization(company.tx, company.orgId), found);
    expect(found.differences).toEqual([]);
    // Nobody promises a bottom for plans that imported entries name (TRUTH section 1).
    expect(found.notes.filter(({ code }) => code !== "pool-exceeded")).toEqual([]);
    for (const day of this.days()) expectSound(this.view(day));
    return totals;
  }

  /** Every day that the ledger names, today and the last one. */
  days(): string[] {
    const entries = [...iterateEntries(this.company.tx, this.company.orgId)];
    return [...new Set([...entries.map(({ effectiveDate }) => effectiveDate), TODAY, LAST_DAY])].sort();
  }
}

/**
 * What an export adds up to, in terms of what the API shows: without the classes and plans that were deleted, which go
 * out for old entries, and with the API's reserve where the export says that it had to write another.
 */
function comparable(exported: Exported, shown: ReadTotals): ReadTotals {
  const read = readTotals(objectsOf(exported));
  const isAnyClass = Object.keys(read.authorized).length > 0;
  const known = <T>(from: Readonly<Record<string, T>>, there: object) =>
    Object.entries(from).filter(([id]) => id in there);
  const settled = settledIn(exported);
  // A plan cannot be exported where there is no class at all (the format wants one).
  const plans = known({ ...(isAnyClass ? {} : shown.plans), ...read.plans }, shown.plans).map(
    ([id, { reserved, available }]) => {
      return [id, { reserved: settled.has(id) ? shown.plans[id]?.reserved : reserved, available }];
    },
  );
  const authorized = Object.fromEntries(
    known(read.authorized, shown.authorized).map(([id, figure]) => [id, show(units(figure))]),
  );
  return { ...read, authorized, plans: Object.fromEntries(plans) };
}

/** The plans of which an export says that it had to write another reserve than theirs. */
export function settledIn({ transactions }: Exported): ReadonlySet<unknown> {
  return new Set(transactions.filter(isReserveSettled).map(({ stock_plan_id: id }) => id));
}

function isReserveSettled({ object_type: type, comments }: Fields): boolean {
  const says = Array.isArray(comments) ? String(comments[0]) : "";
  return type === "TX_STOCK_PLAN_POOL_ADJUSTMENT" && says.startsWith("Sets OCF's sum of reserve, grants and returns");
}

function isMadeHere({ metadata }: { readonly metadata: string | null }): boolean {
  return JSON.parse(metadata ?? "{}").ocfObjectType === undefined;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** How many entries the ledger has. */
export function lengthOf({ tx, orgId }: Company): number {
  return [...iterateEntries(tx, orgId)].length;
}

/** What open securities hold, by `holder|family|class`. */
function sumsIn({ tx, orgId }: Company): Map<string, Units> {
  const sums = new Map<string, Units>();
  for (const { type, status, deletedAt, quantity, stakeholderId, stockClassId } of iterateSecurityRows(tx, orgId)) {
    if (status !== "ACTIVE" || deletedAt !== null) continue;
    const family = type === "STOCK_OPTION" ? "EQUITY_COMPENSATION" : type;
    addTo(sums, `${stakeholderId}|${family}|${type === "STOCK" ? stockClassId : ""}`, units(quantity));
  }
  return sums;
}

/** How much more, or less, there is of each. */
export function gainOf(before: ReadonlyMap<string, Units>, after: ReadonlyMap<string, Units>): Map<string, Units> {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(keys.map((key) => [key, (after.get(key) ?? 0n) - (before.get(key) ?? 0n)]));
}

function addTo(sums: Map<string, Units>, key: string, more: Units): void {
  sums.set(key, (sums.get(key) ?? 0n) + more);
}

interface Holding {
  readonly type: string;
  readonly stockClassId: string | null;
  /** Whether it is open, and no convertible. */
  readonly isHeld: boolean;
  readonly rest: readonly unknown[];
}

function holdingsIn({ tx, orgId }: Company): Map<string, Holding> {
  return new Map(
    [...iterateSecurityRows(tx, orgId)].map((row) => {
      const { id, type, stockClassId, quantity, stakeholderId, equityPlanId, status, deletedAt } = row;
      // To delete what has ended changes nothing that counts.
      const isGone = deletedAt !== null && status === "ACTIVE";
      const rest = [units(quantity).toString(), stakeholderId, equityPlanId, status, isGone];
      const isHeld = status === "ACTIVE" && deletedAt === null && type !== "CONVERTIBLE" && units(quantity) > 0n;
      return [id, { type, stockClassId, isHeld, rest }];
    }),
  );
}

/** An organization as a choice sees it, read from its rows, where no model has followed what came in. */
export function seenIn({ tx, orgId, ids }: Company): Model {
  const rows = new Map([...iterateSecurityRows(tx, orgId)].map((row) => [row.id, row]));
  for (const id of rows.keys()) if (!ids.securities.includes(id)) ids.securities.push(id);
  const seen = newModel();
  for (const [index, id] of ids.securities.entries()) {
    const row = rows.get(id);
    const place = (list: readonly string[], each: string | null | undefined) => (each ? list.indexOf(each) : null);
    seen.securities.push(
      row && {
        kind: row.type,
        status: row.status,
        quantity: units(row.quantity),
        holder: ids.holders.indexOf(row.stakeholderId ?? ""),
        stockClass: place(ids.classes, row.stockClassId),
        plan: place(ids.plans, row.equityPlanId),
        charge: 0n,
        rate: { charge: 0n, quantity: 0n },
        price: null,
        strike: row.exercisePrice === null ? null : units(row.exercisePrice),
        expires: null,
        certificate: row.certificateId,
        isDeleted: row.deletedAt !== null,
      },
    );
    seen.vesting.push({
      grant: index,
      since: 0,
      isGrant: true,
      granted: 0n,
      grantDate: row?.grantDate ?? TODAY,
      terms: place(ids.terms, row?.vestingTermsId),
      start: row?.vestingStartDate ?? TODAY,
      own: null,
      facts: [],
    });
  }
  for (const _ of ids.milestones) seen.milestones.push({ security: 0, since: 0, isDone: false, isDeleted: false });
  return seen;
}
