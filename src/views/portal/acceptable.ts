// What a holder is shown before accepting a security: its terms as the certificate has them, how it vests, the
// documents that were shared with the holder, and the sentence to accept.
import type { Static } from "@sinclair/typebox";
import { Problem } from "../../kernel/problem.ts";
import type { TermsShown } from "../../resources/acceptances/schema.ts";
import { canonicalJson } from "../../storage/database/log/log-hash.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { digestOf } from "../reports/documents/code.ts";
import type { Line } from "../reports/documents/document-model.ts";
import { makeDocument } from "../reports/documents/make.ts";
import { legalNameOf } from "../reports/documents/words.ts";
import { Own } from "./own.ts";
import { readOwnVesting } from "./own-vesting.ts";
import { listSharedDocuments } from "./store.ts";

/** What is accepted; its digest is the acceptance's. */
export interface Acceptable {
  readonly captable: 1;
  readonly kind: "acceptance";
  readonly orgId: string;
  readonly securityId: string;
  readonly stakeholderId: string;
  readonly terms: Static<typeof TermsShown>;
  readonly documents: readonly Pick<Row<"documents">, "id" | "title" | "sha256" | "size">[];
  readonly text: string;
}

const WORDS: Readonly<Record<SecurityType, string>> = {
  STOCK: "the stock",
  STOCK_OPTION: "the option grant",
  WARRANT: "the warrant",
  CONVERTIBLE: "the convertible",
};

/** The canonical JSON of what is accepted, as it is stored, and its digest. */
export function sealed(acceptable: Acceptable): { readonly shown: string; readonly digest: string } {
  const shown = canonicalJson(acceptable);
  return { shown, digest: digestOf(shown) };
}

/**
 * What the holder of a security is shown today; null while the security is not there yet, because all that the ledger
 * says of it is dated ahead. The caller holds a snapshot.
 */
export function readAcceptable(db: Reader, row: Row<"securities">, today: string): Acceptable | null {
  const { orgId, id: securityId, stakeholderId } = row;
  if (stakeholderId === null) return null;
  const own = new Own(orgId, [stakeholderId]);
  const made = copyOf(db, row, own, today);
  if (made === null) return null;
  const { code, facts } = made;
  const statement = facts.statement.map(([label, value]) => [label, value]);
  const { events: vesting } = readOwnVesting(db, own, securityId, today);
  const documents = documentsOf(db, own, securityId);
  const holder = legalNameOf(getRecord<Row<"stakeholders">>(db, "stakeholders", orgId, stakeholderId));
  const text = textOf(row, holder, facts.statement, documents.length);
  const of = { captable: 1, kind: "acceptance", orgId, securityId, stakeholderId } as const;
  return { ...of, terms: { statement, code, vesting }, documents, text };
}

/** The holder's copy of the certificate, of the last day on which the security changed. */
function copyOf(db: Reader, { orgId, id: subjectId }: Row<"securities">, own: Own, today: string) {
  const of = { kind: "C", orgId, subjectId, asOf: null, today, knownAt: null, basis: "FULLY_DILUTED" } as const;
  try {
    return makeDocument(db, { ...of, isCopy: true, isOfLastChange: true, ownIds: own.ids });
  } catch (error) {
    // By the days that have come the security is not there, or is another's.
    if (error instanceof Problem && (error.slug === "validation-failed" || error.slug === "not-found")) return null;
    throw error;
  }
}

function documentsOf(db: Reader, own: Own, securityId: string): Acceptable["documents"] {
  const naming = listSharedDocuments(db, own.params).filter(({ relatedObjects }) =>
    (JSON.parse(relatedObjects) as { readonly objectType: string; readonly objectId: string }[]).some(
      ({ objectType, objectId }) => objectType === "SECURITY" && objectId === securityId,
    ),
  );
  return naming.map(({ id, title, sha256, size }) => ({ id, title, sha256, size }));
}

function textOf(
  { type, certificateId }: Row<"securities">,
  holder: string,
  statement: readonly Line[],
  documents: number,
): string {
  const lineOf = (label: string) => statement.find(([each]) => each === label)?.[1] ?? "";
  const number = certificateId === null ? "" : ` ${certificateId}`;
  const listed = documents === 0 ? "" : ` and in the ${documents === 1 ? "document" : `${documents} documents`} listed`;
  return (
    `I accept, for ${holder}, ${WORDS[type]}${number} of ${lineOf("Company")}: ${lineOf("Outstanding")}, ` +
    `on the terms shown here${listed}.`
  );
}
