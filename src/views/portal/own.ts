// Whose portal it is: the stakeholders that the person is, of those that the organization has. Whatever the portal shows
// is asked here first.

import { present } from "../../kernel/assert.ts";
import type { ReadRequest } from "../../resources/route.ts";
import { hasRecord } from "../../storage/database/records.ts";
import type { Reader } from "../../storage/database/sql.ts";

/** The stakeholders that a person is in an organization. */
export class Own {
  readonly #ids: ReadonlySet<string>;

  constructor(
    readonly orgId: string,
    readonly ids: readonly string[],
  ) {
    this.#ids = new Set(ids);
  }

  /** What queries are asked with. */
  get params() {
    return { orgId: this.orgId, own: JSON.stringify(this.ids) };
  }

  /** Whether a stakeholder is the person; nobody is not. */
  has(stakeholderId: string | null): boolean {
    return stakeholderId !== null && this.#ids.has(stakeholderId);
  }
}

/** Whose portal a request asks for. A stakeholder that was deleted is nobody's any more. */
export function ownOf(db: Reader, { orgId, stakeholderIds }: ReadRequest): Own {
  const ids = present(stakeholderIds, "the stakeholders of whoever asks");
  return new Own(
    orgId,
    ids.filter((id) => hasRecord(db, "stakeholders", orgId, id)),
  );
}
