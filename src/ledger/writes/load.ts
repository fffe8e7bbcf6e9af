// Loads what a decision needs: the records that the command names, and the ledger's view of them. Reads only.

import { isDecimalText, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { notFound } from "../../kernel/problem.ts";
import { NOUNS, type RecordTable } from "../../storage/database/log/logged-tables.ts";
import { findAny, findRecord, getRecord, requireRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Facts, Holder, NamedHolder, Needs } from "../operation.ts";
import { listTermsEntries } from "../replay/replay-store.ts";
import { LedgerState } from "../replay/state.ts";
import { parseBasis } from "../rules/charges.ts";
import {
  findCertificateHolder,
  findNamedHolder,
  listCharged,
  listClassTerms,
  listOpenConvertibles,
  listOpenSecurities,
  listPlansOf,
} from "../store.ts";
import type { ClassState, PlanState, SecurityState } from "../types.ts";
import { loadLeaver } from "../vested/leaver-store.ts";
import type { SecurityVesting } from "../vested/vesting-account.ts";
import { isVestedAtOnce, loadVesting } from "../vested/vesting-store.ts";

/** The ledger's view of a security's row. */
export function toSecurityState(row: Row<"securities">): SecurityState {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    quantity: parseDecimal(row.quantity),
    stakeholderId: row.stakeholderId,
    stockClassId: row.stockClassId,
    equityPlanId: row.equityPlanId,
    charge: row.planCharge === null ? null : parseDecimal(row.planCharge),
    chargeBasis: parseBasis(row.chargeBasis),
    pricePerShare: row.pricePerShare,
    exercisePrice: row.exercisePrice,
  };
}

/** The ledger's view of a share class's row. */
export function toClassState(row: Row<"share_classes">): ClassState {
  const { currentSharesAuthorized: authorized } = row;
  return {
    id: row.id,
    authorized: isDecimalText(authorized) ? parseDecimal(authorized) : null,
    issued: parseDecimal(row.issued),
  };
}

/** The ledger's view of an equity plan's row. */
export function toPlanState(row: Row<"equity_plans">): PlanState {
  return {
    id: row.id,
    reserved: parseDecimal(row.totalSharesReserved),
    available: parseDecimal(row.currentSharesReserved),
    stockClassIds: JSON.parse(row.stockClassIds),
  };
}

/** Loads facts for one write. */
export class Loader {
  readonly state = new LedgerState();
  readonly #securities = new Map<string, Row<"securities">>();
  readonly #classes = new Map<string, Row<"share_classes">>();
  readonly #plans = new Map<string, Row<"equity_plans">>();
  readonly #stakeholders = new Map<string, NamedHolder>();
  readonly #db: Reader;
  readonly #orgId: string;

  constructor(db: Reader, orgId: string) {
    this.#db = db;
    this.#orgId = orgId;
  }

  /** Loads the facts that `needs` names. Throws `404 not-found` for the first unknown reference. */
  load(needs: Needs): Facts {
    for (const id of given(needs.securities)) {
      if (!this.#securities.has(id)) this.take(getRecord<Row<"securities">>(this.#db, "securities", this.#orgId, id));
    }
    for (const id of given(needs.stakeholders)) this.#loadStakeholder(id);
    for (const id of given(needs.classes)) this.#loadClass(id);
    for (const id of given(needs.plans)) this.#loadPlan(id);
    for (const id of given(needs.vestingTerms)) this.#require("vesting_terms", id);
    for (const id of given(needs.valuations)) this.#require("valuations", id);
    for (const id of given(needs.approvals)) this.#require("approvals", id);
    for (const id of given(needs.documents)) this.#require("documents", id);
    for (const id of given(needs.stockLegends)) this.#require("stock_legends", id);
    for (const id of given(needs.openSecuritiesOf)) this.#loadOpenSecurities(id);
    const holder = needs.leaver ? this.#loadLeaver(needs.leaver) : null;
    const { certificateId } = needs;
    const where = { orgId: this.#orgId };
    const classTerms = needs.classTerms
      ? { classes: listClassTerms(this.#db, where), convertibles: listOpenConvertibles(this.#db, where) }
      : { classes: [], convertibles: [] };
    return {
      state: this.state,
      securities: this.#securities,
      classes: this.#classes,
      plans: this.#plans,
      stakeholders: this.#stakeholders,
      vesting: this.#loadVesting([...given(needs.vestingOf), ...(holder ? this.#vestingIn(holder) : [])]),
      holder,
      classTerms,
      conversions: needs.conversions
        ? { classes: listClassTerms(this.#db, where), entries: listTermsEntries(this.#db, where) }
        : { classes: [], entries: [] },
      isCertificateTaken: !!certificateId && findCertificateHolder(this.#db, this.#orgId, certificateId) !== null,
    };
  }

  #require(table: RecordTable, id: string): void {
    requireRecord(this.#db, table, this.#orgId, id);
  }

  #loadStakeholder(id: string): void {
    const named = findNamedHolder(this.#db, { orgId: this.#orgId, id });
    if (named === null) throw notFound(NOUNS.stakeholders);
    this.#stakeholders.set(id, named);
  }

  /** Takes the row of a security that was read just now; it comes with its class and its plan, whose totals it moves. */
  take(row: Row<"securities">): void {
    if (this.#securities.has(row.id)) return;
    this.#securities.set(row.id, row);
    const { stockClassId, equityPlanId } = row;
    if (stockClassId && !this.#classes.has(stockClassId)) {
      this.#addClass(findAny(this.#db, "share_classes", this.#orgId, stockClassId));
    }
    if (equityPlanId && !this.#plans.has(equityPlanId)) {
      this.#addPlan(findAny(this.#db, "equity_plans", this.#orgId, equityPlanId));
    }
    this.state.securities.set(row.id, toSecurityState(row));
  }

  /** The facts of a split: its securities, the plans for the class alone and all that charge them. */
  #loadOpenSecurities(stockClassId: string): void {
    this.#loadClass(stockClassId);
    for (const { id } of listPlansOf(this.#db, { orgId: this.#orgId, stockClassId })) {
      this.#loadPlan(id);
      for (const row of listCharged(this.#db, { orgId: this.#orgId, equityPlanId: id })) this.take(row);
    }
    for (const row of listOpenSecurities(this.#db, this.#orgId, stockClassId)) this.take(row);
  }

  #loadLeaver(id: string): Holder {
    const { holder, securities } = loadLeaver(this.#db, this.#orgId, id);
    for (const security of securities) this.take(security);
    return holder;
  }

  #vestingIn({ holds, elsewhere }: Holder): string[] {
    return [...holds, ...elsewhere].filter((id) => ["STOCK", "STOCK_OPTION"].includes(this.state.security(id).type));
  }

  #loadVesting(ids: readonly string[]): Map<string, SecurityVesting> {
    const vesting = new Map<string, SecurityVesting>();
    for (const id of ids) {
      const row = getRecord<Row<"securities">>(this.#db, "securities", this.#orgId, id);
      if (!isVestedAtOnce(this.#db, this.#orgId, row)) vesting.set(id, loadVesting(this.#db, this.#orgId, row));
    }
    return vesting;
  }

  #loadClass(id: string): void {
    if (!this.#classes.has(id)) this.#addClass(getRecord(this.#db, "share_classes", this.#orgId, id));
  }

  #addClass(row: Row<"share_classes"> | null): void {
    if (row === null || this.#classes.has(row.id)) return;
    this.#classes.set(row.id, row);
    this.state.classes.set(row.id, toClassState(row));
  }

  #loadPlan(id: string): void {
    if (!this.#plans.has(id)) this.#addPlan(getRecord(this.#db, "equity_plans", this.#orgId, id));
  }

  /** A plan comes with its class if it has only one: its grants are of that class. */
  #addPlan(row: Row<"equity_plans"> | null): void {
    if (row === null || this.#plans.has(row.id)) return;
    this.#plans.set(row.id, row);
    const plan = toPlanState(row);
    this.state.plans.set(row.id, plan);
    const [only, ...others] = plan.stockClassIds;
    if (only && others.length === 0) this.#addClass(findRecord(this.#db, "share_classes", this.#orgId, only));
  }
}

const NONE: readonly string[] = [];

function given(references: readonly (string | null | undefined)[] | undefined): readonly string[] {
  if (references === undefined) return NONE;
  const ids = references.filter((id) => id !== null && id !== undefined);
  return ids.length === 0 ? NONE : ids;
}
