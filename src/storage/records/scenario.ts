// The fields of a scenario: a model with its input, kept under a name.
import { freeObject, freeText, oneOf, optional, text } from "../../kernel/fields.ts";

/** The models that a scenario may keep the input of. */
export const SCENARIO_MODELS = ["CAP_TABLE", "ROUND", "WATERFALL"] as const;
export type ScenarioModel = (typeof SCENARIO_MODELS)[number];

/** What anybody may say of a scenario. */
export const SCENARIO_FIELDS = {
  name: text(100),
  description: optional(freeText()),
  model: oneOf(SCENARIO_MODELS, { description: "Does not change." }),
  input: freeObject({
    description: "A body of that model, kept as it was sent; at most 256 KiB.",
    "x-bytes-max": 256 * 1024,
  }),
};
