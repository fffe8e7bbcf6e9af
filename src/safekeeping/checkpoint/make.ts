// Makes checkpoints of a database's current heads.

import type { Timestamp } from "../../kernel/runtime.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { writeCheckpoint } from "./checkpoint.ts";
import type { Signer } from "./note.ts";
import { findHeads } from "./store.ts";

/** A checkpoint of an organization, or of the instance (null), as a signed note. */
export interface MadeCheckpoint {
  readonly orgId: string | null;
  readonly note: string;
}

/** The checkpoint of one organization, or of the instance (null). */
export function makeCheckpoint(db: Reader, orgId: string | null, time: Timestamp, signer: Signer): MadeCheckpoint {
  return { orgId, note: inSnapshot(db, () => writeCheckpoint({ orgId, ...findHeads(db, orgId), time }, signer)) };
}

/** The checkpoints of every organization and of the instance, from one snapshot. */
export function makeCheckpoints(db: Reader, time: Timestamp, signer: Signer): MadeCheckpoint[] {
  return inSnapshot(db, () =>
    [...listOrganizations(db).map(({ id }) => id), null].map((id) => makeCheckpoint(db, id, time, signer)),
  );
}

/** Checkpoints as one text: the content of a checkpoint file. */
export function joinCheckpoints(checkpoints: readonly MadeCheckpoint[]): string {
  return checkpoints.map(({ note }) => note).join("\n");
}
