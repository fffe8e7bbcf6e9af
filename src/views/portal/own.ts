// Portal access: the stakeholders that the person is, in the organization. Every portal route checks here first.

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

  /** Whether a stakeholder is the person; null is not. */
  has(stakeholderId: string | null): boolean {
    return stakeholderId !== null && this.#ids.has(stakeholderId);
  }
}

/** The stakeholders of a portal request. A deleted stakeholder belongs to no person any more. */
export function ownOf(db: Reader, { orgId, stakeholderIds }: ReadRequest): Own {
  const ids = present(stakeholderIds, "the stakeholders of the caller");
  return new Own(
    orgId,
    ids.filter((id) => hasRecord(db, "stakeholders", orgId, id)),
  );
}
