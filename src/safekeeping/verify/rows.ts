// Compares the stored rows with the replayed ledger: member by member, and class totals with the live securities once
// more without the ledger. Documents' bytes are compared with their recorded size and checksum. Pure: rows come in as
// iterables.
import { createHash } from "node:crypto";
import { type Decimal, formatDecimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type LedgerState, outstandingStock } from "../../ledger/replay/state.ts";
import { formatBasis } from "../../ledger/rules/charges.ts";
import { OpenSums, type SumPlace } from "../../ledger/rules/open-awards.ts";
import type { SecurityState } from "../../ledger/types.ts";
import { toClassState, toPlanState, toSecurityState } from "../../ledger/writes/load.ts";
import type { Row } from "../../storage/database/sql.ts";
import { RESTORE, type Tell } from "./report.ts";
import type { StoredContent } from "./store.ts";

const TO_LEDGER = "The ledger is the record: have the row say what the ledger says, or restore a backup.";

type Members = Readonly<Record<string, string | boolean | null>>;

/** What the rows of securities add up to, without the ledger. */
export interface Sums {
  /** The outstanding stock of each class. */
  readonly outstanding: ReadonlyMap<string, Decimal>;
  readonly open: OpenSums;
}

/** Compares every stored security with its replayed state; returns what the rows add up to. */
export function compareSecurities(
  orgId: string,
  rows: Iterable<Row<"securities">>,
  { state, repriced }: { readonly state: LedgerState; readonly repriced: ReadonlySet<string> },
  tell: Tell,
): Sums {
  const outstanding = new Map<string, Decimal>();
  const open = new OpenSums(orgId);
  const seen = new Set<string>();
  for (const row of rows) {
    seen.add(row.id);
    const subject = `security ${row.id}`;
    if (!isDecimalText(row.quantity)) {
      tell({ code: "security-differs", subject, detail: `its quantity ${JSON.stringify(row.quantity)} is no number` });
      continue;
    }
    const stored = toSecurityState(row);
    const replayed = state.securities.get(row.id);
    if (replayed) {
      const isRepriced = repriced.has(row.id);
      const [is, should] = [securityMembers(stored, isRepriced), securityMembers(replayed, isRepriced)];
      for (const detail of differingMembers(is, should)) {
        tell({ code: "security-differs", subject, detail, fix: TO_LEDGER });
      }
      if (row.deletedAt !== null && replayed.status === "ACTIVE") {
        const detail = "it is marked as deleted, and no ledger entry took it off the cap table";
        tell({ code: "security-differs", subject, detail, fix: TO_LEDGER });
      }
    } else {
      tell({ code: "security-unexplained", subject, detail: "no ledger entry made it", fix: TO_LEDGER });
    }
    if (row.deletedAt === null && stored.stockClassId !== null) {
      const sofar = outstanding.get(stored.stockClassId) ?? ZERO;
      outstanding.set(stored.stockClassId, sofar + outstandingStock(stored));
    }
    if (row.deletedAt === null) open.add(stored);
  }
  for (const id of state.securities.keys()) {
    if (seen.has(id)) continue;
    const detail = "the ledger made it, and its row is missing";
    tell({ code: "security-missing", subject: `security ${id}`, detail, fix: TO_LEDGER });
  }
  return { outstanding, open };
}

/** Compares the sums of open options and warrants that a class, a plan or the organization keeps with their rows. */
export function compareOpenSums(
  table: SumPlace["table"],
  row: { readonly id: string; readonly openOptions: string; readonly openWarrants?: string },
  { open }: Pick<Sums, "open">,
  subject: string,
  tell: Tell,
): void {
  const { id, openOptions, openWarrants } = row;
  for (const [column, stored] of Object.entries({ openOptions, ...(openWarrants ? { openWarrants } : {}) })) {
    const live = formatDecimal(open.of({ table, id, column: column as SumPlace["column"] }));
    if (live === stored) continue;
    const what = column === "openWarrants" ? "ACTIVE warrants add" : "ACTIVE options add";
    tell({
      code: "open-total",
      subject,
      detail: `its ${column} is ${stored}, and its ${what} up to ${live}`,
      fix: TO_LEDGER,
    });
  }
}

/** Compares every stored class with its replayed state, and its totals with its live securities. */
export function compareClasses(rows: Iterable<Row<"share_classes">>, state: LedgerState, sums: Sums, tell: Tell): void {
  for (const row of rows) {
    const subject = `share class ${row.id} (${row.name})`;
    compareOpenSums("share_classes", row, sums, subject, tell);
    const stored = toClassState(row);
    const replayed = state.stockClass(row.id);
    const is = { currentSharesAuthorized: figure(stored.authorized), issued: figure(stored.issued) };
    const should = { currentSharesAuthorized: figure(replayed.authorized), issued: figure(replayed.issued) };
    for (const detail of differingMembers(is, should)) {
      tell({ code: "class-differs", subject, detail, fix: TO_LEDGER });
    }
    const live = sums.outstanding.get(row.id) ?? ZERO;
    if (live === stored.issued) continue;
    const detail = `its issued total is ${figure(stored.issued)}, and its ACTIVE stock adds up to ${figure(live)}`;
    tell({ code: "class-total", subject, detail, fix: TO_LEDGER });
  }
}

/** Compares every stored plan with its replayed state, and its sum of options with its live securities. */
export function comparePlans(rows: Iterable<Row<"equity_plans">>, state: LedgerState, sums: Sums, tell: Tell): void {
  for (const row of rows) {
    const subject = `equity plan ${row.id} (${row.planName})`;
    compareOpenSums("equity_plans", row, sums, subject, tell);
    const stored = toPlanState(row);
    const replayed = state.plan(row.id);
    const is = { totalSharesReserved: figure(stored.reserved), currentSharesReserved: figure(stored.available) };
    const should = {
      totalSharesReserved: figure(replayed.reserved),
      currentSharesReserved: figure(replayed.available),
    };
    for (const detail of differingMembers(is, should)) tell({ code: "plan-differs", subject, detail, fix: TO_LEDGER });
  }
}

/** Compares every document's bytes with the size and checksum that were recorded at upload. */
export function compareContents(documents: Iterable<StoredContent>, tell: Tell): void {
  for (const { id, sha256, size, content } of documents) {
    const isAsNoted = content?.byteLength === size && sha256 === sha256Of(content ?? new Uint8Array());
    if (isAsNoted) continue;
    const detail = "its bytes are not those that were stored: size or SHA-256 differ";
    tell({ code: "document-altered", subject: `document ${id}`, detail, fix: RESTORE });
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function* differingMembers(is: Members, should: Members): Generator<string> {
  for (const [name, value] of Object.entries(is)) {
    if (value !== should[name]) yield `its ${name} is ${value}, and the ledger says ${should[name]}`;
  }
}

/** The members that the ledger determines. A price that was corrected by `PATCH` is description and left out. */
function securityMembers(state: SecurityState, isRepriced: boolean): Members {
  const { type, status, stakeholderId, stockClassId, equityPlanId, charge, chargeBasis } = state;
  const quantity = formatDecimal(state.quantity);
  const planCharge = charge === null ? null : formatDecimal(charge);
  const holding = { type, status, quantity, stakeholderId, stockClassId, equityPlanId };
  const ledgered = { ...holding, planCharge, chargeBasis: formatBasis(chargeBasis) };
  if (isRepriced) return ledgered;
  return { ...ledgered, pricePerShare: price(state.pricePerShare), exercisePrice: price(state.exercisePrice) };
}

function price(text: string | null): string | null {
  return text !== null && isDecimalText(text) ? formatDecimal(parseDecimal(text)) : text;
}

function figure(value: Decimal | null): string {
  return value === null ? "without limit" : formatDecimal(value);
}
