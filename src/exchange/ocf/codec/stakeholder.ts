// Codec of STAKEHOLDER ↔ stakeholder. Pure.

import { RELATIONSHIPS } from "../../../kernel/relationships.ts";
import { nameKeyOf, searchTextOf } from "../../../resources/stakeholders/search-text.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { isObject, type JsonObject, listOf, objectsOf, textOf } from "../json.ts";
import type { ObjectContext, RecordCodec } from "./record-codec.ts";
import { commentsText, Refusal, requiredName, requiredWord } from "./values.ts";
import { commentsOf, compact, emailOf } from "./values-to-ocf.ts";

/** Stakeholders in OCF. */
export const STAKEHOLDER: RecordCodec<"stakeholders"> = {
  objectType: "STAKEHOLDER",
  table: "stakeholders",
  noun: "stakeholder",
  counted: "stakeholders",
  columns: ["name", "type", "relationships", "email", "issuerAssignedId", "comments", "sourceDocumentId"],
  references: [],
  fromOcf: stakeholderFromOcf,
  toOcf: stakeholderToOcf,
};

const DISPLAY_NAME_MAX = 100;
const KNOWN_RELATIONSHIPS: ReadonlySet<string> = new Set(RELATIONSHIPS);

/** What an OCF stakeholder becomes. Throws {@link Refusal} without a legal name or a type. */
function stakeholderFromOcf(value: JsonObject) {
  if (!isObject(value.name)) throw new Refusal("#/name", "The field name is missing.");
  const legalName = requiredName(value.name, "legal_name", ["name"]);
  const name = {
    legalName,
    firstName: textOf(value.name, "first_name"),
    lastName: textOf(value.name, "last_name"),
  };
  const displayName = [...legalName].slice(0, DISPLAY_NAME_MAX).join("");
  const email = emailFromOcf(value);
  const kept = JSON.stringify(Object.fromEntries(Object.entries(name).filter(([, part]) => part !== null)));
  return {
    displayName,
    name: kept,
    type: requiredWord(value, "stakeholder_type", ["INDIVIDUAL", "INSTITUTION"]),
    status: statusFromOcf(value.current_status),
    relationships: JSON.stringify(relationshipsOf(value)),
    email,
    issuerAssignedId: textOf(value, "issuer_assigned_id"),
    comments: commentsText(value),
    searchText: searchTextOf(displayName, email),
    nameKey: nameKeyOf(kept),
  };
}

/** The service's word for an OCF relationship; null for a word that OCF does not know. */
export function relationshipFromOcf(word: unknown): string | null {
  if (word === "NON_US_EMPLOYEE") return "EMPLOYEE";
  if (word === "OFFICER") return "EXECUTIVE";
  return typeof word === "string" && KNOWN_RELATIONSHIPS.has(word) ? word : null;
}

/** The development version's status: a stakeholder whose employment ended is a former one. */
export function statusFromOcf(word: unknown): "CURRENT" | "FORMER" {
  return typeof word === "string" && word.startsWith("TERMINATION_") ? "FORMER" : "CURRENT";
}

/** One in OCF 1.2.0, several in its development version. */
function relationshipsOf(value: JsonObject): string[] {
  const words = [...listOf(value, "current_relationships"), value.current_relationship].map(relationshipFromOcf);
  return [...new Set(words.filter((word) => word !== null))];
}

/** An individual's in contact_info, an institution's with its primary contact. */
function emailFromOcf(value: JsonObject): string | null {
  for (const contact of [value.contact_info, value.primary_contact]) {
    if (!isObject(contact)) continue;
    for (const email of objectsOf(contact, "emails")) {
      const address = textOf(email, "email_address");
      if (address !== null) return address;
    }
  }
  return null;
}

/** A stakeholder as OCF writes one; of several relationships it holds the first. */
function stakeholderToOcf(row: Row<"stakeholders">, { note }: ObjectContext): JsonObject {
  const name = JSON.parse(row.name);
  const [relationship, ...others]: string[] = JSON.parse(row.relationships);
  if (others.length > 0) note("OCF 1.2.0 takes one relationship of a stakeholder; further ones left out");
  const email = emailOf(row.email, "OTHER", note);
  const isPerson = row.type === "INDIVIDUAL";
  return compact({
    object_type: "STAKEHOLDER",
    id: row.id,
    name: compact({ legal_name: name.legalName, first_name: name.firstName, last_name: name.lastName }),
    stakeholder_type: row.type,
    issuer_assigned_id: row.issuerAssignedId,
    current_relationship: relationship,
    contact_info: email && isPerson ? { emails: [email] } : undefined,
    primary_contact: email && !isPerson ? { name: { legal_name: name.legalName }, emails: [email] } : undefined,
    comments: commentsOf(row.comments),
  });
}
