// Makes a document from the ledger: its model, its facts and its code. Drawing is separate.

import { notFound, problem } from "../../../kernel/problem.ts";
import { dateOf, END_OF_TIME, type Timestamp } from "../../../kernel/runtime.ts";
import { VERSION } from "../../../kernel/version.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import type { Basis } from "../keys.ts";
import { readLineageOf } from "../lineage.ts";
import type { Drawn } from "../pdf/draw.ts";
import { type Asked, type Company, type Head, readCompany, readFew, readHead } from "../report-company.ts";
import { findLastNaming, findStakeholderName, findVestingOf } from "../store.ts";
import { isOnLetter } from "../xlsx/workbook.ts";
import { certificateOf } from "./certificate.ts";
import { codeOf, embeddedText, type Facts } from "./code.ts";
import { type DocumentKind, type PaperDocument, statementOf } from "./document-model.ts";
import { holderStatement } from "./statement.ts";
import { capTableSummary } from "./summary-paper.ts";

/** Which document is asked for. */
export interface DocumentAsked {
  readonly kind: DocumentKind;
  readonly orgId: string;
  /** The security, the holder, or the organization. */
  readonly subjectId: string;
  /** Null: the document's own default, or today. */
  readonly asOf: string | null;
  readonly today: string;
  readonly knownAt: Timestamp | null;
  readonly upTo?: number | undefined;
  /** Of summaries. */
  readonly basis: Basis;
  /** Whether it is the holder's own copy: it tells nothing of others, and a statement goes up to the holder's last entry. */
  readonly isCopy?: boolean;
  /** Whether it is of the last day on which the security changed, even where it vests. */
  readonly isOfLastChange?: boolean;
  /** For copies: the stakeholders allowed to have it; without them, every stakeholder. */
  readonly ownIds?: readonly string[];
}

/** A document that can be drawn. */
export interface MadeDocument {
  readonly document: PaperDocument;
  readonly facts: Facts;
  readonly code: string;
  /** The instant that was asked to be known at; null where none was. */
  readonly knownAt: Timestamp | null;
  readonly company: Company;
  /** Whether it is drawn on Letter, rather than on A4. */
  readonly isLetter: boolean;
}

/** Reads a document. The caller holds a snapshot. Throws `404` for a subject that there is not. */
export function makeDocument(db: Reader, asked: DocumentAsked): MadeDocument {
  switch (asked.kind) {
    case "C":
      return makeCertificate(db, asked);
    case "H":
      return makeStatement(db, asked);
    case "S":
      return makeSummary(db, asked);
  }
}

function momentOf({ asOf, today, knownAt, upTo }: DocumentAsked): Asked {
  return { asOf: asOf ?? today, knownAt, upTo };
}

function withFacts(
  asked: DocumentAsked,
  company: Company,
  document: PaperDocument,
  { sequence, hash }: Pick<Head, "sequence" | "hash">,
): MadeDocument {
  const { kind, orgId, subjectId, basis } = asked;
  const common = { captable: 1, kind, orgId, subjectId, asOf: company.asked.asOf } as const;
  const statement = statementOf(document);
  const facts: Facts = { ...common, ...(kind === "S" ? { basis } : {}), sequence, hash, statement };
  const { knownAt } = asked;
  return { document, facts, code: codeOf(facts), knownAt, company, isLetter: isOnLetter(company) };
}

/** A security with all that it came of, and the entries that name it, or made it, or split its class. */
function concerning(db: Reader, { orgId, subjectId: id, knownAt, upTo = Number.MAX_SAFE_INTEGER }: DocumentAsked) {
  const found = findVestingOf(db, { orgId, id });
  if (!found) throw notFound("security");
  const lineage = readLineageOf(db, orgId, id);
  const entries = lineage.entries.filter(
    (entry) =>
      entry.createdAt <= (knownAt ?? END_OF_TIME) && entry.sequence <= upTo && isAbout(entry, id, found.stockClassId),
  );
  const hasVesting = found.vestingTermsId !== null || found.vestings !== null || found.milestoneId !== null;
  return { hasVesting, entries, lineage };
}

function isAbout(
  { type, securityId, metadata }: Row<"transactions">,
  id: string,
  stockClassId: string | null,
): boolean {
  if (securityId === id) return true;
  const said = JSON.parse(metadata ?? "{}") as Readonly<Record<string, unknown>>;
  if (type !== "STOCK_SPLIT") return said.newSecurityId === id;
  return said.stockClassId === stockClassId || metadata?.includes(id) === true;
}

/** The last entry that concerns a security, whenever it was recorded. */
export function lastConcerning(db: Reader, orgId: string, securityId: string): number {
  const asked = { kind: "C", orgId, subjectId: securityId, asOf: null, today: "", knownAt: null } as const;
  return concerning(db, { ...asked, basis: "FULLY_DILUTED" }).entries.at(-1)?.sequence ?? 0;
}

function makeCertificate(db: Reader, asked: DocumentAsked): MadeDocument {
  const { hasVesting, entries, lineage } = concerning(db, asked);
  // Without vesting nothing changes but by an entry: so the paper stays the same between them.
  const days = entries.map(({ effectiveDate }) => effectiveDate).filter((day) => day <= asked.today);
  const latestDay = days.toSorted().at(-1) ?? "";
  const isOfToday = latestDay === "" || (hasVesting && asked.isOfLastChange !== true);
  const asOf = asked.asOf ?? (isOfToday ? asked.today : latestDay);
  const company = readFew(db, asked.orgId, { ...momentOf(asked), asOf }, lineage);
  const latest = entries.findLast(({ sequence }) => company.flows.counts(sequence));
  const { isCopy = false, ownIds } = asked;
  const holderId = company.view.state.securities.get(asked.subjectId)?.stakeholderId ?? null;
  // The register may have a later holder than the day.
  if (ownIds && !ownIds.includes(holderId ?? "")) throw notFound("security");
  const holder = holderId === null ? null : findStakeholderName(db, { orgId: asked.orgId, id: holderId });
  const document = latest && certificateOf({ company, securityId: asked.subjectId, holder, latest, isCopy });
  if (!latest || !document) {
    const detail = "is a day on which the security was not there yet";
    throw problem("validation-failed", "There is no certificate of that day.", [{ parameter: "asOf", detail }]);
  }
  return withFacts(asked, company, document, latest);
}

/** The last entry that names a holder, or that split a class, which says nothing of others. */
export function lastNaming(
  db: Reader,
  { orgId, subjectId: id, upTo }: Pick<DocumentAsked, "orgId" | "subjectId" | "upTo">,
): Head {
  const found = findLastNaming(db, { orgId, id, upTo: upTo ?? Number.MAX_SAFE_INTEGER });
  return found ?? readHead(db, orgId, { knownAt: null, upTo: 0 });
}

function makeStatement(db: Reader, asked: DocumentAsked): MadeDocument {
  const holder = findStakeholderName(db, { orgId: asked.orgId, id: asked.subjectId });
  if (!holder) throw notFound("stakeholder");
  const company = readCompany(db, asked.orgId, momentOf(asked));
  const { isCopy = false } = asked;
  const latest = isCopy ? lastNaming(db, asked) : company.head;
  return withFacts(asked, company, holderStatement({ company, holder, latest, isCopy }), latest);
}

function makeSummary(db: Reader, asked: DocumentAsked): MadeDocument {
  const company = readCompany(db, asked.orgId, momentOf(asked));
  return withFacts(asked, company, capTableSummary(company, asked.basis), company.head);
}

/** Who made a file, as it says itself. */
export const PRODUCER = `captable ${VERSION}`;

/** Draws a document; what draws is loaded with the first one. */
export async function draw(
  { document, facts, code, knownAt, company, isLetter }: MadeDocument,
  entryTime: Timestamp,
  fontFolder: string | null,
): Promise<Drawn> {
  const { drawDocument } = await import("../pdf/draw.ts");
  return await drawDocument(document, {
    code,
    knownAt,
    facts: embeddedText(facts, knownAt),
    producer: PRODUCER,
    made: dateOf(entryTime),
    isLetter,
    isTest: company.isTest,
    fontFolder,
  });
}
