// The fields of a scenario: a model's input, stored under a name.
import { freeObject, freeText, oneOf, optional, text } from "../../kernel/fields.ts";

/** The models whose input a scenario can store. */
export const SCENARIO_MODELS = ["CAP_TABLE", "ROUND", "WATERFALL"] as const;
export type ScenarioModel = (typeof SCENARIO_MODELS)[number];

/** The body of a scenario. */
export const SCENARIO_FIELDS = {
  name: text(100, { description: "The scenario's name." }),
  description: optional(freeText(2000, { description: "Free text, for people." })),
  model: oneOf(SCENARIO_MODELS, { description: "Does not change." }),
  input: freeObject({
    description: "A body of that model, kept as it was sent; at most 256 KiB.",
    "x-bytes-max": 256 * 1024,
  }),
};
