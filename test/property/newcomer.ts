// An organization that packages come into and that is edited meanwhile, and what must hold of it at any moment.
import { expect } from "bun:test";
import type { ImportReport } from "../../src/exchange/ocf/import/report.ts";
import { importPackage } from "../../src/exchange/ocf/import/run.ts";
import { formatDecimal, parseDecimal, sum } from "../../src/kernel/numbers/decimal.ts";
import { iterateEntries } from "../../src/ledger/store.ts";
import { getOrganization, insertOrganization } from "../../src/resources/organization/store.ts";
import type { Difference } from "../../src/safekeeping/verify/report.ts";
import { iterateSecurityRows } from "../../src/safekeeping/verify/store.ts";
import { verifyOrganization } from "../../src/safekeeping/verify/verify.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import { totalsOf } from "../exchange/ocf/adds-up.ts";
import type { ReadTotals } from "../exchange/ocf/reader.ts";
import { type CapTable, expectSound } from "../kit/cap-table.ts";
import type { Choice } from "./choosing.ts";
import { Company, newCall } from "./company.ts";
import { comparable } from "./comparable.ts";
import { type Exported, exportedFrom, isSplit, packageWith } from "./cut.ts";
import { LAST_DAY, TODAY } from "./model/dates.ts";
import { at } from "./model/state.ts";
import type { Step } from "./model/step.ts";
import { type Units, units } from "./model/units.ts";
import { seenIn } from "./seen.ts";
import { addTo, gainOf, sumsIn } from "./sums.ts";
import type { Tally } from "./tally.ts";

/** What was changed here, so that later packages may not change it; ids. */
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
      insertOrganization(tx, newCall(id, "POST /"), { legalName: "Newcomer, Inc.", isNamed: 1 });
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
    // A plan that imported entries name may be exceeded: it comes in as its package says, and `verify` notes it.
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

interface Holding {
  readonly type: string;
  readonly stockClassId: string | null;
  /** Whether it is open, and no convertible. */
  readonly isHeld: boolean;
  readonly rest: readonly unknown[];
}

function holdingsIn({ tx, orgId }: Company): Map<string, Holding> {
  return new Map(
    [...iterateSecurityRows(tx, { orgId })].map((row) => {
      const { id, type, stockClassId, quantity, stakeholderId, equityPlanId, status, deletedAt } = row;
      // To delete what has ended changes nothing that counts.
      const isGone = deletedAt !== null && status === "ACTIVE";
      const rest = [units(quantity).toString(), stakeholderId, equityPlanId, status, isGone];
      const isHeld = status === "ACTIVE" && deletedAt === null && type !== "CONVERTIBLE" && units(quantity) > 0n;
      return [id, { type, stockClassId, isHeld, rest }];
    }),
  );
}
