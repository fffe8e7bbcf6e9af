// Loads what is known of a security's vesting: its terms, its milestones, and the entries that concern it, those of
// what it came from included.
import { sql } from "kysely";
import { build, type Params, type Reader, type Row, statement } from "../database/sql.ts";
import type { AllocationMethod, VestingCondition, VestingRules, VestingSchedule } from "../vesting/types.ts";
import { toDraft } from "./replay.ts";
import type { EntryDraft } from "./types.ts";
import { assembleHistory, type SecurityVesting } from "./vesting-history.ts";

type Entry = Row<"transactions">;
type Security = Row<"securities">;

/** Entries that name the security, and the organization's splits since its first entry. */
const concerning = statement((param: Params<{ orgId: string; securityId: string }>) =>
  build
    .selectFrom("transactions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("securityId", "=", param("securityId"))
    .unionAll(
      build
        .selectFrom("transactions")
        .selectAll()
        .where("orgId", "=", param("orgId"))
        .where("type", "=", "STOCK_SPLIT")
        .where("recordOnly", "=", 0),
    )
    .orderBy("sequence"),
);

/** The entry by which an operation made one security out of another. */
const making = statement((param: Params<{ orgId: string; originId: string; securityId: string }>) =>
  build
    .selectFrom("transactions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("securityId", "=", param("originId"))
    .where("recordOnly", "=", 0)
    .where(sql<string>`json_extract("metadata", '$.newSecurityId')`, "=", param("securityId"))
    .limit(1),
);

const vestingFacts = statement((param: Params<{ orgId: string; securityId: string; before: number }>) =>
  build
    .selectFrom("transactions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("securityId", "=", param("securityId"))
    .where("type", "in", ["VESTING_START", "VESTING_EVENT"])
    .where("recordOnly", "=", 0)
    .where("sequence", "<", param("before"))
    .orderBy("sequence"),
);

const milestones = statement((param: Params<{ orgId: string; securityId: string }>) =>
  build
    .selectFrom("vesting_milestones")
    .select(["quantity", "completedAt"])
    .where("orgId", "=", param("orgId"))
    .where("securityId", "=", param("securityId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** Deleted ones too: what came of them still vests by their history. */
const anySecurity = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("securities").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

const anyTerms = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("vesting_terms").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** Loads how a security vests. */
export function loadVesting(db: Reader, orgId: string, security: Security): SecurityVesting {
  const lineage = traceLineage(db, orgId, security);
  const own = concerning.all(db, { orgId, securityId: security.id });
  const entries = lineage.made === null ? own : [lineage.made, ...own];
  const history = assembleHistory({
    security,
    entries: entries.flatMap(asDraft),
    inherited: lineage.facts.flatMap(asDraft),
    milestones: milestones.all(db, { orgId, securityId: security.id }),
  });
  return { rules: lineage.isVestingDone ? null : findRules(db, orgId, security.vestingTermsId), history };
}

/** Reads vesting terms as the rules that the vesting engine takes; null where none are named. */
function findRules(db: Reader, orgId: string, id: string | null): VestingRules | null {
  const terms = id === null ? null : anyTerms.first(db, { orgId, id });
  return terms === null ? null : toRules(terms);
}

function toRules(terms: Row<"vesting_terms">): VestingRules {
  return {
    allocationMethod: terms.allocationMethod as AllocationMethod,
    vestingConditions: JSON.parse(terms.vestingConditions) as VestingCondition[],
    schedule: terms.schedule === null ? null : (JSON.parse(terms.schedule) as VestingSchedule),
  };
}

interface Lineage {
  /** The entry that made the security out of another; null when it was issued. */
  readonly made: Entry | null;
  /** Vesting entries of its ancestors from before each made the next, oldest first. */
  readonly facts: readonly Entry[];
  /** Whether the terms were done with when an ordinary exercise made stock: only vested shares can be exercised. */
  readonly isVestingDone: boolean;
}

/** Walks from a security to what it came from, and on. */
function traceLineage(db: Reader, orgId: string, security: Security): Lineage {
  const facts: Entry[][] = [];
  const seen = new Set([security.id]);
  let made: Entry | null = null;
  let isVestingDone = false;
  let [child, originId] = [security, security.originSecurityId];
  while (originId !== null && !seen.has(originId)) {
    seen.add(originId);
    const entry = making.first(db, { orgId, originId, securityId: child.id });
    const origin = anySecurity.first(db, { orgId, id: originId });
    if (!entry || !origin) break;
    made ??= entry;
    const isSameTerms = security.vestingTermsId === origin.vestingTermsId;
    if (isSameTerms && isOrdinaryExercise(entry)) isVestingDone = true;
    facts.unshift(vestingFacts.all(db, { orgId, securityId: originId, before: entry.sequence }));
    [child, originId] = [origin, origin.originSecurityId];
  }
  return { made, facts: facts.flat(), isVestingDone };
}

function isOrdinaryExercise(entry: Entry): boolean {
  return entry.type.endsWith("_EXERCISE") && toDraft(entry)?.metadata.earlyExercise !== true;
}

function asDraft(entry: Entry): EntryDraft[] {
  const draft = toDraft(entry);
  return draft === null ? [] : [draft];
}
