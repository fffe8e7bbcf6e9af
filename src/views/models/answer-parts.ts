// Building blocks of the models' answers.
import { type TSchema, Type } from "@sinclair/typebox";
import { total } from "../../kernel/fields.ts";

/** A computed decimal. */
export const figure = (description: string) => total({ description });
/** A part of a whole, in percent. */
export const percent = (description: string) => Type.String({ description, examples: ["12.500000"] });
/** A name of a holder, class or security. */
export const label = (description: string) => Type.String({ description, examples: ["Series A"] });
/** A stakeholder's id in the answer of a model: a modelled holder need not be on record. */
export const HOLDER = "The stakeholder; null if it is not on record.";
/** The whole answer: `{data: …}`. */
export const data = (properties: Record<string, TSchema>) => Type.Object({ data: Type.Object(properties) });
