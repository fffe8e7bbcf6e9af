// A stakeholder whose legal name another one bears.

import type { Warning } from "../../kernel/warning.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { listBearers } from "./store.ts";

/** The warning of a stakeholder on record; none where nobody else has the name. */
export function sameNameWarnings(db: Reader, { orgId, id, nameKey }: Row<"stakeholders">): readonly Warning[] {
  const [other] = listBearers(db, { orgId, nameKey, otherThan: id });
  const detail = `The stakeholder ${other?.displayName} (${other?.id}) has the same legal name.`;
  return other === undefined ? [] : [{ code: "same-name", detail }];
}
