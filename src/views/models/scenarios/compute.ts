// Results of scenarios: tried out when their input is stored, computed on request, and laid side by side.
import type { Call } from "../../../kernel/call.ts";
import { Problem, problem, refuse } from "../../../kernel/problem.ts";
import { getRecord, requireRecord } from "../../../storage/database/records.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import type { ScenarioModel } from "../../../storage/records/scenario.ts";
import { Missing } from "../missing.ts";
import { checkModel, type ModelBodies, runModel } from "../model.ts";
import { digestOf } from "../round/answer.ts";
import { cents } from "../rules.ts";

/** Throws `404` for what an input names and is not there; that no price solves it is for its result to say. */
export function tryOut(db: Reader, { orgId, at }: Call, model: ScenarioModel, input: object): void {
  try {
    checkModel(db, { orgId, model, body: input as ModelBodies[ScenarioModel], nowMs: Date.parse(at) });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.slug === "not-found") throw error;
    if (error.slug === "validation-failed") {
      throw new Problem(
        error.slug,
        error.detail,
        error.errors?.map((each) =>
          "pointer" in each ? { ...each, pointer: each.pointer.replace("#", "#/input") } : each,
        ),
      );
    }
  }
}

/** Whether a scenario's input says its day itself. */
function isDated({ input }: Row<"scenarios">): boolean {
  return Boolean((JSON.parse(input) as { readonly asOf?: unknown }).asOf);
}

interface Computed {
  readonly row: Row<"scenarios">;
  readonly result: Record<string, unknown>;
}

/** Computes a scenario's result. What its input names and is gone is `409 invalid-state`. */
export function compute(
  db: Reader,
  orgId: string,
  scenarioId: string,
  ask: { asOf?: string | undefined; exitValue?: string | undefined; nowMs: number },
): Computed {
  const row = getRecord<Row<"scenarios">>(db, "scenarios", orgId, scenarioId);
  const kept = JSON.parse(row.input) as Record<string, unknown>;
  if (ask.asOf !== undefined && isDated(row)) {
    throw new Problem("validation-failed", "The query is not acceptable.", [
      { parameter: "asOf", detail: "is said by the scenario's input" },
    ]);
  }
  const exit = ask.exitValue === undefined ? {} : { exitValues: [ask.exitValue], range: undefined, detail: "HOLDERS" };
  const input = { ...kept, ...(ask.asOf === undefined ? {} : { asOf: ask.asOf }), ...exit };
  try {
    const body = input as ModelBodies[ScenarioModel];
    return { row, result: runModel(db, { orgId, model: row.model, body, nowMs: ask.nowMs }) };
  } catch (error) {
    const isGone = error instanceof Problem && (error.slug === "not-found" || error.slug === "validation-failed");
    if (!isGone) throw error;
    throw problem("invalid-state", `The scenario ${row.id} does not fit the cap table any more: ${goneIn(error)}`);
  }
}

function goneIn(error: Problem): string {
  if (error instanceof Missing) return `the ${error.what} ${error.id} does not exist.`;
  const [first] = error.errors ?? [];
  return first && "pointer" in first ? `${first.pointer} ${first.detail}.` : error.detail;
}

/** One holder's place in several results. */
interface Line {
  readonly stakeholderId: string | null;
  readonly name: string | null;
  readonly values: Record<string, string>[];
}

type Shown = Readonly<Record<string, unknown>>;

/** The rows of a result that are compared: of the table after, or of what is paid. */
function rowsOf(model: ScenarioModel, computed: Shown): readonly Shown[] {
  if (model !== "WATERFALL") return (computed.after as { holders: readonly Shown[] }).holders;
  return (computed.points as readonly { holders: readonly Shown[] }[])[0]?.holders ?? [];
}

const MEMBERS = {
  CAP_TABLE: { fullyDiluted: "0", percentFullyDiluted: "0.000000" },
  ROUND: { fullyDiluted: "0", percentFullyDiluted: "0.000000" },
  WATERFALL: { proceeds: "0", percent: "0.000000" },
} as const;

/** Holders in the order of the first result, then those of the next. */
function linesOf(model: ScenarioModel, results: readonly Shown[]): readonly Line[] {
  const none: Readonly<Record<string, string>> = MEMBERS[model];
  const lines = new Map<string, Line>();
  for (const [index, computed] of results.entries()) {
    for (const row of rowsOf(model, computed)) {
      const stakeholderId = row.stakeholderId as string | null;
      const key = stakeholderId === null ? `n:${row.name}` : `s:${stakeholderId}`;
      const values = results.map(() => ({ ...none }));
      const line = lines.get(key) ?? { stakeholderId, name: row.name as string | null, values };
      line.values[index] = Object.fromEntries(Object.keys(none).map((name) => [name, String(row[name])]));
      lines.set(key, line);
    }
  }
  return [...lines.values()];
}

/** What is compared, as a checked body says it. */
interface Compared {
  readonly scenarioIds: readonly string[];
  readonly asOf?: string | null;
  readonly exitValue?: string | null;
}

/** What each holder has in several scenarios of one model. */
export function compareResults(db: Reader, orgId: string, { scenarioIds, asOf, exitValue }: Compared, nowMs: number) {
  const rows = scenarioIds.map((each) => {
    requireRecord(db, "scenarios", orgId, each);
    return getRecord<Row<"scenarios">>(db, "scenarios", orgId, each);
  });
  const model = rows[0]?.model ?? "CAP_TABLE";
  const isExit = model === "WATERFALL";
  refuse([
    ...rows.flatMap((row, index) =>
      row.model === model ? [] : [[`#/scenarioIds/${index}`, `is not of the model ${model}`] as const],
    ),
    ...(isExit !== (exitValue !== undefined && exitValue !== null)
      ? [["#/exitValue", isExit ? "is required for exits" : "is for exits only"] as const]
      : []),
    ...cents(exitValue, "#/exitValue"),
    ...(asOf && rows.some(isDated) ? [["#/asOf", "is said by a scenario's input"] as const] : []),
  ]);
  const ask = { asOf: asOf ?? undefined, exitValue: exitValue ?? undefined, nowMs };
  const computed = rows.map((row) => compute(db, orgId, row.id, ask));
  return {
    model,
    scenarios: computed.map(({ row, result: each }) => ({ id: row.id, name: row.name, digest: digestOf(each) })),
    holders: linesOf(
      model,
      computed.map(({ result: each }) => each),
    ),
  };
}
