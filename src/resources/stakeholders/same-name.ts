// The warning of two stakeholders with one legal name.

import type { Warning } from "../../kernel/warning.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { listBearers } from "./store.ts";

/** The warning of a stakeholder on record; empty if the name is unique. */
export function sameNameWarnings(db: Reader, { orgId, id, nameKey }: Row<"stakeholders">): readonly Warning[] {
  const [other] = listBearers(db, { orgId, nameKey, otherThan: id });
  const detail = `The stakeholder ${other?.displayName} (${other?.id}) has the same legal name.`;
  return other === undefined ? [] : [{ code: "same-name", detail }];
}
