// The table of kept checkpoints as Kysely sees it.
import type { Generated } from "kysely";

export interface CheckpointsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly time: string;
  readonly ledgerSize: number;
  readonly ledgerHead: string;
  readonly logSize: number;
  readonly logHead: string;
  /** The note of both heads, with its time stamps. */
  readonly note: string;
  /** The checkpoints of the trees, with their cosignatures. */
  readonly ledgerNote: string;
  readonly logNote: string;
  /** When its last time stamp came; null without one. */
  readonly stampedAt: string | null;
  /** How many cosignatures of each were checked. */
  readonly ledgerCosigned: Generated<number>;
  readonly logCosigned: Generated<number>;
}

/** The tables of checkpoints by name. */
export interface CheckpointTables {
  readonly checkpoints: CheckpointsTable;
}
