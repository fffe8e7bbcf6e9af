// The directory of an import: holders, classes, plans and terms, existing and made by the file.

import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import {
  type EventThere,
  listClasses,
  listEventsThere,
  listHolders,
  listLegendNames,
  listNumberedThere,
  listPlans,
  listSecuritiesThere,
  listTerms,
  listValuationsThere,
  type SecurityThere,
} from "../store.ts";
import { Holders, type Meant, onlyOf } from "./row-holders.ts";

/** A security that an import brought before without a number of its own, and what its row is known by. */
export interface NumberedThere {
  readonly key: string;
  /** The holder as its row stated it. */
  readonly named: string | null;
  readonly security: SecurityThere;
}

/** The records of an organization, extended as the import makes more. */
export class Directory {
  readonly holders = new Holders();
  readonly #classes: { readonly id: string; readonly name: string; readonly prefix: string }[];
  readonly #plans: { readonly id: string; readonly name: string }[];
  readonly #terms: { readonly id: string; readonly name: string }[];
  readonly #legends: ReadonlyMap<string, string>;
  readonly #securities = new Map<string, SecurityThere>();
  /** All recorded securities: of several with one number, such as balances in OCF, each. */
  readonly #recorded: readonly SecurityThere[];
  /** Asked only of files with such rows: it looks at every entry. */
  readonly #listNumbered: () => ReturnType<typeof listNumberedThere>;
  readonly #valuations: ReturnType<typeof listValuationsThere>;
  readonly #eventKeys: ReadonlySet<string>;
  readonly #events: ReadonlyMap<string | null, readonly EventThere[]>;

  constructor(db: Reader, orgId: string) {
    for (const { id, name, displayName, email, issuerAssignedId: number } of listHolders(db, { orgId })) {
      const { legalName } = JSON.parse(name) as { legalName: string };
      this.holders.add({ ...{ id, name: legalName, displayName, number, email }, place: null });
    }
    this.#classes = listClasses(db, { orgId }).map(({ id, name, defaultIdPrefix: prefix }) => ({ id, name, prefix }));
    this.#plans = listPlans(db, { orgId }).map(({ id, planName: name }) => ({ id, name }));
    this.#terms = listTerms(db, { orgId }).map(({ id, name }) => ({ id, name }));
    this.#legends = new Map(listLegendNames(db, { orgId }).map(({ id, name }) => [foldName(name), id]));
    this.#valuations = listValuationsThere(db, { orgId });
    const events = listEventsThere(db, { orgId });
    this.#eventKeys = new Set(events.map(({ key }) => key));
    this.#events = Map.groupBy(events, ({ subject }) => subject);
    const securities = listSecuritiesThere(db, { orgId });
    for (const each of securities) this.addSecurity(each);
    this.#recorded = securities;
    this.#listNumbered = () => listNumberedThere(db, { orgId });
  }

  /** By name, prefix, or the name with its prefix in parentheses. */
  stockClass(text: string): Meant {
    const wanted = foldName(text);
    return onlyOf(
      this.#classes
        .filter(({ name, prefix }) => [name, prefix, `${name} (${prefix})`].some((each) => foldName(each) === wanted))
        .map(({ id }) => id),
    );
  }

  /** The classes by name and prefix. */
  classes(): readonly { readonly name: string; readonly prefix: string }[] {
    return this.#classes;
  }

  /** The prefix of a class's numbers. */
  prefixOf(text: string): string | null {
    const found = this.stockClass(text);
    return typeof found === "object" ? (this.#classes.find(({ id }) => id === found.id)?.prefix ?? null) : null;
  }

  addClass(id: string, name: string, prefix: string): void {
    this.#classes.push({ id, name, prefix });
  }

  plan(text: string): Meant {
    return onlyOf(this.#plans.filter(({ name }) => foldName(name) === foldName(text)).map(({ id }) => id));
  }

  addPlan(id: string, name: string): void {
    this.#plans.push({ id, name });
  }

  terms(text: string): Meant {
    return onlyOf(this.#terms.filter(({ name }) => foldName(name) === foldName(text)).map(({ id }) => id));
  }

  addTerms(id: string, name: string): void {
    this.#terms.push({ id, name });
  }

  legend(name: string): string | null {
    return this.#legends.get(foldName(name)) ?? null;
  }

  /** Whether an import brought the event before. */
  hasEvent(key: string): boolean {
    return this.#eventKeys.has(key);
  }

  /** The events about a security, class or plan that imports brought before. */
  eventsOf(subject: string): readonly EventThere[] {
    return this.#events.get(subject) ?? [];
  }

  security(certificate: string): SecurityThere | null {
    return this.#securities.get(certificate) ?? null;
  }

  /** The numbers of recorded securities. */
  numbers(): Iterable<string> {
    return this.#securities.keys();
  }

  /** The recorded securities, from any source. */
  recorded(): readonly SecurityThere[] {
    return this.#recorded;
  }

  /** The securities that imports brought before without a number, in the order in which they came in. */
  numberedThere(): readonly NumberedThere[] {
    const byId = new Map(this.#recorded.map((each) => [each.id, each]));
    const noted = new Map(this.#listNumbered().map((each) => [each.id, each]));
    return [...noted.values()].flatMap(({ id, key, named }) => {
      const security = byId.get(id);
      return security ? [{ key, named, security }] : [];
    });
  }

  addSecurity(security: SecurityThere): void {
    if (security.certificateId !== null) this.#securities.set(security.certificateId, security);
  }

  /** The name of the holder, class, plan, terms or legend with this id; another text is itself. */
  nameOf(text: string): string {
    const legends = [...this.#legends].map(([name, id]) => ({ id, name }));
    const others = [...this.#classes, ...this.#plans, ...this.#terms, ...legends];
    return this.holders.nameOf(text) ?? others.find(({ id }) => id === text)?.name ?? text;
  }

  /** The id of an existing valuation. */
  valuation(type: string, stockClassId: string, price: string, effectiveDate: string): string | null {
    const found = this.#valuations.find(
      (each) =>
        each.type === type &&
        each.stockClassId === stockClassId &&
        each.effectiveDate === effectiveDate &&
        isSameFigure(each.pricePerShare, price),
    );
    return found?.id ?? null;
  }
}
