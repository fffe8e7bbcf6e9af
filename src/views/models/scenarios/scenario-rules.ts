// Rules of a scenario's input: a valid body of its model.
import { findFaults } from "../../../kernel/check.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import type { ScenarioModel } from "../../../storage/records/scenario.ts";
import { CapTableModel, RoundModel, WaterfallModel } from "../rules.ts";

const BODIES = { CAP_TABLE: CapTableModel, ROUND: RoundModel, WATERFALL: WaterfallModel } as const;

/** Throws `422` for an input that its model would not take. */
export function refuseInput(model: ScenarioModel, input: unknown): void {
  refuse(findFaults(BODIES[model], input).map(({ path, detail }): Finding => [`#/input${path}`, detail]));
}
