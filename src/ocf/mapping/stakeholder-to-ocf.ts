// Stakeholders as OCF's STAKEHOLDER. Pure.
import type { Row } from "../../database/sql.ts";
import type { JsonObject } from "../json.ts";
import { commentsOf, compact, emailOf, type Note } from "./values-to-ocf.ts";

/** A stakeholder as OCF writes one; of several relationships it holds the first. */
export function stakeholderToOcf(row: Row<"stakeholders">, note: Note): JsonObject {
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
