// What a tool is: its name, its arguments as JSON Schema, what it may do, and the function that answers.
import type { CallToolResult, InputRequiredResult, JsonSchemaType, ServerContext } from "@modelcontextprotocol/server";

/** Arguments as a client sends them, checked against the tool's schema. */
export type Args = Readonly<Record<string, unknown>>;

/** An answer, or a question to the person. */
export type Answer = CallToolResult | InputRequiredResult;

/** A tool, as it is listed and called. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The members of its arguments. */
  readonly args: Readonly<Record<string, JsonSchemaType>>;
  readonly required?: readonly string[];
  /** What it does: reads alone, tries, keeps or drops a proposal, or writes. */
  readonly does: "reads" | "prepares" | "writes";
  readonly run: (args: Args, context: ServerContext) => Promise<Answer>;
}

/** The JSON Schema of a tool's arguments. */
export function schemaOf({ args, required = [] }: Pick<Tool, "args" | "required">): JsonSchemaType {
  return { type: "object", properties: { ...args }, required: [...required], additionalProperties: false };
}

/** A text among the arguments; undefined where it is left out. */
export function text(args: Args, name: string): string | undefined {
  const value = args[name];
  return typeof value === "string" ? value : undefined;
}
