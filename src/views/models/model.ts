// Runs a model: reads the company at a moment, adds what the body adds, applies the rounds before, and then the model.
import type { Static } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { readInstant } from "../../kernel/instant.ts";
import { refuse } from "../../kernel/problem.ts";
import { END_OF_TIME, type Timestamp, toTimestamp, toUtcDate } from "../../kernel/runtime.ts";
import { findHead } from "../../ledger/store.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { ScenarioModel } from "../../storage/records/scenario.ts";
import type { WaterfallBody } from "./exit/exit-body.ts";
import { readStake } from "./exit/stake.ts";
import { modelWaterfall } from "./exit/waterfall.ts";
import { type Company, sortWarnings } from "./model-company.ts";
import { addTo } from "./read/add.ts";
import { readCompany } from "./read/read-company.ts";
import { digestOf, tellRound } from "./round/answer.ts";
import { modelRound, poseRound } from "./round/round.ts";
import type { RoundBody } from "./round/round-body.ts";
import type { CapTableModelBody, RoundModelBody, WaterfallModelBody } from "./schema.ts";
import { dilutionOf, tableOf } from "./table-model.ts";

type Base = Static<typeof CapTableModelBody>;

/** The body of each model. */
export interface ModelBodies {
  readonly CAP_TABLE: Base;
  readonly ROUND: Static<typeof RoundModelBody>;
  readonly WATERFALL: Static<typeof WaterfallModelBody>;
}

/** A company to start from, as a body asks for it. */
export interface Start {
  /** As the ledger has it. */
  readonly recorded: Company;
  /** With what the body adds, and after the rounds before. */
  readonly company: Company;
  readonly asOf: CalendarDate;
  readonly knownAt: Timestamp;
  readonly ledgerSequence: number;
}

/** What is to be modelled. */
export interface ModelAsked<M extends ScenarioModel> {
  readonly orgId: string;
  readonly model: M;
  readonly body: ModelBodies[M];
  readonly nowMs: number;
}

/** The `data` of a model's answer. Throws the `Problem` in its way. */
export function runModel<M extends ScenarioModel>(db: Reader, asked: ModelAsked<M>): Record<string, unknown> {
  const { model, body } = asked;
  const { recorded, company, asOf, knownAt, ledgerSequence } = inSnapshot(db, () => start(db, asked, { keeps: true }));
  const head = { asOf, knownAt, ledgerSequence };
  if (model === "WATERFALL") return { ...head, ...modelWaterfall(company, body as WaterfallBody, asOf) };
  if (model === "ROUND") {
    const data = { ...head, ...tellRound(modelRound(company, body as RoundBody, asOf)) };
    const digest = digestOf(data);
    return { ...data, digest };
  }
  const [before, after] = [tableOf(recorded), tableOf(company)];
  const warnings = sortWarnings(company.warnings, company.held);
  return { ...head, before, after, dilution: dilutionOf(before, after), warnings };
}

/** Checks a body as its model does, without computing what it answers. Throws what stands in its way. */
export function checkModel(db: Reader, asked: ModelAsked<ScenarioModel>): void {
  const { company, asOf } = start(db, asked, { keeps: false });
  const { model, body } = asked;
  if (model === "ROUND") poseRound(company, body as RoundBody, asOf);
  if (model === "WATERFALL") readStake(company, body as WaterfallBody, asOf);
}

/** Whether a connection keeps today's view for what is asked next: one that only reads. */
interface Keeps {
  readonly keeps: boolean;
}

/** Reads what a model starts from. The caller holds a snapshot. */
export function start(
  db: Reader,
  { orgId, model, body, nowMs }: Omit<ModelAsked<ScenarioModel>, "body"> & { readonly body: Base },
  { keeps }: Keeps,
): Start {
  const asked = body.knownAt ? present(readInstant(body.knownAt), "a checked timestamp") : null;
  const asOf = body.asOf ?? toUtcDate(nowMs);
  const rounds = (body.rounds ?? []) as readonly RoundBody[];
  const { closingDate, exitDate } = body as { readonly closingDate?: string | null; readonly exitDate?: string | null };
  refuseEarlier(asOf, closingDate, "#/closingDate");
  refuseEarlier(asOf, exitDate, "#/exitDate");
  for (const [index, round] of rounds.entries())
    refuseEarlier(asOf, round.closingDate, `#/rounds/${index}/closingDate`);
  const hasRound = model === "ROUND" || rounds.length > 0;
  const isExit = model === "WATERFALL";
  const needed = {
    prices: isExit || hasRound,
    strikes: isExit,
    principals: isExit || hasRound,
    vestedOn: isExit ? (exitDate ?? asOf) : null,
  };
  const moment = { asOf, knownAt: asked ?? END_OF_TIME };
  const recorded = readCompany(db, orgId, moment, needed, keeps ? { today: toUtcDate(nowMs) } : null).company;
  let company = addTo(recorded, body.add, asOf);
  for (const [index, round] of rounds.entries()) company = modelRound(company, round, asOf, `#/rounds/${index}`).after;
  const knownAt = asked ?? toTimestamp(nowMs);
  return { recorded, company, asOf, knownAt, ledgerSequence: findHead(db, orgId).sequence };
}

function refuseEarlier(asOf: CalendarDate, date: string | null | undefined, at: string): void {
  if (date && date < asOf) refuse([[at, "is before asOf"]]);
}
