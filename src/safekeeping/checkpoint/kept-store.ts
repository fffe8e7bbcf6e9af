// Store of kept checkpoints: SQL of the table, in which notes gain time stamps and cosignatures after they were kept.
import { sql } from "kysely";
import {
  all,
  build,
  first,
  iterate,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  run,
  variants,
} from "../../storage/database/sql.ts";

/** A kept checkpoint. */
export type KeptCheckpoint = Row<"checkpoints">;

/** A checkpoint to keep. */
export type NewCheckpoint = Omit<KeptCheckpoint, "seq" | "stampedAt" | "ledgerCosigned" | "logCosigned">;

/** Keeps a checkpoint. */
export const insertCheckpoint = run((param: Params<NewCheckpoint>) =>
  build.insertInto("checkpoints").values({
    orgId: param("orgId"),
    id: param("id"),
    time: param("time"),
    ledgerSize: param("ledgerSize"),
    ledgerHead: param("ledgerHead"),
    logSize: param("logSize"),
    logHead: param("logHead"),
    note: param("note"),
    ledgerNote: param("ledgerNote"),
    logNote: param("logNote"),
  }),
);

/** Puts the note with a new time stamp in place, and when that came. */
export const setStamped = run((param: Params<{ orgId: string; id: string; note: string; stampedAt: string }>) =>
  build
    .updateTable("checkpoints")
    .set({ note: param("note"), stampedAt: param("stampedAt") })
    .where("orgId", "=", param("orgId"))
    .where("id", "=", param("id")),
);

type Cosigned = Pick<KeptCheckpoint, "orgId" | "id" | "ledgerNote" | "logNote" | "ledgerCosigned" | "logCosigned">;

/** Puts the notes with new cosignatures in place, and how many of each were checked. */
export const setCosigned = run((param: Params<Cosigned>) =>
  build
    .updateTable("checkpoints")
    .set({
      ledgerNote: param("ledgerNote"),
      logNote: param("logNote"),
      ledgerCosigned: param("ledgerCosigned"),
      logCosigned: param("logCosigned"),
    })
    .where("orgId", "=", param("orgId"))
    .where("id", "=", param("id")),
);

/** Removes those without a time stamp that have so many newer ones; returns how many. */
export const pruneCheckpoints = run((param: Params<{ orgId: string; kept: number }>) =>
  build
    .deleteFrom("checkpoints")
    .where("orgId", "=", param("orgId"))
    .where("stampedAt", "is", null)
    .where(
      "seq",
      "<=",
      sql<number>`coalesce((select seq from checkpoints where "orgId" = ${param("orgId")}
        order by seq desc limit 1 offset ${param("kept")} + 0), 0)`,
    ),
);

/** One kept checkpoint, or null. */
export const findKept = first((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("checkpoints", param).selectAll().where("id", "=", param("id")),
);

/** The newest kept checkpoint, or null. */
export const findNewestKept = first((param: Params<{ orgId: string }>) =>
  ofOrganization("checkpoints", param).selectAll().orderBy("seq", "desc").limit(1),
);

/** The newest with a time stamp, or null. */
export const findNewestStamped = first((param: Params<{ orgId: string }>) =>
  ofOrganization("checkpoints", param)
    .selectAll()
    .where("stampedAt", "is not", null)
    .orderBy("stampedAt", "desc")
    .limit(1),
);

const cosigned = variants((param: Params<{ orgId: string; size: number }>, chain: "ledger" | "log") =>
  ofOrganization("checkpoints", param)
    .select(chain === "ledger" ? "ledgerNote as note" : "logNote as note")
    .where(chain === "ledger" ? "ledgerCosigned" : "logCosigned", ">", sql.lit(0))
    .where(chain === "ledger" ? "ledgerSize" : "logSize", ">=", param("size"))
    .orderBy("seq", "desc")
    .limit(1),
);

/** The newest cosigned checkpoint of a chain's tree that has at least so many leaves, as a note; null without one. */
export function findCosigned(db: Reader, chain: "ledger" | "log", orgId: string, size: number): string | null {
  return cosigned(chain).first(db, { orgId, size })?.note ?? null;
}

/** A page of them, newest first. */
export const listKept = all((param: Params<{ orgId: string; before: number; limit: number }>) =>
  ofOrganization("checkpoints", param)
    .selectAll()
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** Walks all of an organization's, oldest first. */
export const iterateKept = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("checkpoints", param).selectAll().orderBy("seq"),
);
