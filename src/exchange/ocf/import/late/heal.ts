// Sets references that an earlier import left out because the record that they name did not exist: it exists now, the
// kept original names it, and the member was not set since. A reference that decides a security's place in the ledger
// is recorded as a direct edit that counts from the issuance on.

import { toStored } from "../../../../ledger/imported-members.ts";
import { loadVesting } from "../../../../ledger/vested/vesting-store.ts";
import { directEdits } from "../../../../ledger/writes/direct-edits.ts";
import { recordDecision } from "../../../../ledger/writes/execute.ts";
import { Loader } from "../../../../ledger/writes/load.ts";
import { changeLogged, changeLoggedColumns } from "../../../../storage/database/log/logged.ts";
import { findRecord, hasRecord } from "../../../../storage/database/records.ts";
import type { Columns, Reader, Row } from "../../../../storage/database/sql.ts";
import type { CodecTable } from "../../codec/record-codec.ts";
import { codecOf } from "../../codec/registry.ts";
import { mappedColumns } from "../../codec/values.ts";
import { pointerTo } from "../../finding.ts";
import type { JsonObject } from "../../json.ts";
import { objectType } from "../../schemas/schema-registry.ts";
import { type NamedColumn, namedByIssuance, namedByRecord } from "../changed/named-columns.ts";
import { exists } from "../changed/named-records.ts";
import type { ImportContext } from "../context.ts";
import type { ImportPlan } from "../plan.ts";
import { findOriginal, listMapped } from "../store.ts";

type Original = Row<"ocf_objects">;
type Imported = Row<CodecTable | "securities">;

/** An object that was imported without one of its references. */
export interface LeftOut {
  readonly objectType: string;
  readonly id: string;
  readonly isLeftOut: true;
}

/** The originals read between two turns of the event loop. */
const PAGE = 500;

/** The objects of earlier imports whose missing references name a record of the package or an existing one. */
export function* leftOutBefore(db: Reader, orgId: string, plan: ImportPlan): Generator<void, readonly LeftOut[]> {
  const brought = new Set<string>();
  for (const step of plan.steps) {
    const codec = codecOf(step.objectType);
    if (codec) brought.add(`${codec.table} ${step.id}`);
  }
  const found: LeftOut[] = [];
  let after = 0;
  for (;;) {
    const originals = listMapped(db, orgId, after, PAGE);
    for (const original of originals) {
      const isThere = ({ table, ids }: NamedColumn) =>
        ids.some((id) => brought.has(`${table} ${id}`) || hasRecord(db, table, orgId, id));
      const { objectType: type, id } = original;
      if (lackedBy(original).some(isThere)) found.push({ objectType: type, id, isLeftOut: true });
    }
    after = originals.at(-1)?.seq ?? after;
    if (originals.length < PAGE) return found;
    yield;
  }
}

/** The references of an original that its record was made without. */
function lackedBy(original: Original): readonly NamedColumn[] {
  const mapped: Columns = JSON.parse(original.mapped ?? "{}");
  return namedIn(original).flatMap((named) => {
    const held = idsIn(named, mapped);
    const ids = named.ids.filter((id) => !held.includes(id));
    return ids.length === 0 ? [] : [{ ...named, ids }];
  });
}

function namedIn({ objectType: name, raw }: Original): readonly NamedColumn[] {
  const value: JsonObject = JSON.parse(raw);
  const codec = codecOf(name);
  if (codec) return namedByRecord(codec, value);
  const family = objectType(name)?.family ?? null;
  return family === null ? [] : namedByIssuance(family, value);
}

function idsIn({ column, isList }: NamedColumn, columns: Columns): readonly string[] {
  const value = columns[column] ?? null;
  if (value === null) return [];
  return isList ? JSON.parse(String(value)) : [String(value)];
}

/** Sets those of an object's references that can be set now. */
export function heal(context: ImportContext, { objectType: type, id }: LeftOut): void {
  const { tx, call } = context;
  const original = findOriginal(tx, call.orgId, type, id);
  const table = codecOf(type)?.table ?? "securities";
  const row = original?.recordId ? findRecord(tx, table, call.orgId, original.recordId) : null;
  if (!original || row === null) return;
  const healed = healedColumns(context, original, row);
  if (healed.length === 0) return;
  const columns: Columns = Object.fromEntries(healed.map(({ column, value }) => [column, value]));
  if (table === "securities") healSecurity(context, row as Row<"securities">, columns, type);
  else changeLoggedColumns(tx, call, table, row.id, { ...columns, updatedAt: call.at });
  const mapped: Columns = JSON.parse(original.mapped ?? "{}");
  const names = Object.keys(mapped);
  changeLogged(
    tx,
    call,
    "ocf_objects",
    { objectType: type, id },
    { mapped: mappedColumns({ ...mapped, ...columns }, names) },
  );
  for (const { member } of healed) context.report.heal(type, id, member);
}

interface Healed {
  readonly column: string;
  readonly member: string;
  readonly value: string;
}

/** The columns that were not set since, as they are to be. */
function healedColumns(context: ImportContext, original: Original, row: Imported) {
  const mapped: Columns = JSON.parse(original.mapped ?? "{}");
  const now: Columns = { ...row };
  const lacked = new Set(lackedBy(original).map(({ column }) => column));
  return namedIn(original).flatMap((named): Healed[] => {
    const { column, table, ids, isList, member } = named;
    if (!lacked.has(column) || (now[column] ?? null) !== (mapped[column] ?? null)) return [];
    const there = ids.filter((id) => exists(context, table, id));
    const value = isList ? JSON.stringify(there) : (there[0] ?? null);
    if (value === null || value === now[column]) return [];
    if (table === "share_classes" && isSplitSince(context, original, named, row.createdAt)) return [];
    if (column === "vestingTermsId" && vestsByItself(context, row as Row<"securities">)) return [];
    return [{ column, member, value }];
  });
}

/** What was divided here has vesting of its own, about which terms say nothing any more. */
function vestsByItself({ tx, call }: ImportContext, row: Row<"securities">): boolean {
  return loadVesting(tx, call.orgId, row).own !== null;
}

/** A split made here passed by what did not name its class: named now, it would be in shares of before the split. */
function isSplitSince(context: ImportContext, { objectType: type, id }: Original, named: NamedColumn, since: string) {
  if (named.column === "stockClassId" && type === "VALUATION") return false;
  const split = named.ids
    .flatMap((each) => context.watch.splitsOf(each))
    .find(({ isMadeHere, recordedAt }) => isMadeHere && recordedAt >= since);
  if (!split) return false;
  const { numerator, denominator, date, stockClassId } = split;
  const detail =
    `${named.member} was left out before and stays so: the class ${stockClassId} was split ${numerator}:${denominator} ` +
    `on ${date} meanwhile, and the split passed it by.`;
  const place = { objectType: type, id, pointer: pointerTo(named.member) };
  context.report.warn(
    "split-since",
    place,
    detail,
    "Set it here by hand, and the figures in shares of after the split.",
  );
  return true;
}

function healSecurity(context: ImportContext, row: Row<"securities">, columns: Columns, type: string): void {
  const { tx, call } = context;
  const { stakeholderId, stockClassId, ...described } = columns;
  const textOrUnsaid = (value: unknown) => (typeof value === "string" ? value : undefined);
  const edit = { stakeholderId: textOrUnsaid(stakeholderId), stockClassId: textOrUnsaid(stockClassId) };
  const facts = new Loader(tx, call.orgId).load({ securities: [row.id], classes: [edit.stockClassId] });
  const said = { correction: true, ...toStored({ objectType: type, objectId: row.id }) };
  const entries = directEdits(facts.state.security(row.id), edit, row.grantDate).map((draft) => ({
    ...draft,
    metadata: { ...draft.metadata, ...said },
  }));
  if (entries.length > 0) recordDecision(tx, call, facts, { entries }, { isImport: true });
  if (Object.keys(described).length === 0) return;
  changeLoggedColumns(tx, call, "securities", row.id, { ...described, updatedAt: call.at });
}
