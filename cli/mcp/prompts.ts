// Prompts: requests that a person can choose in the client.
import { fromJsonSchema, type McpServer } from "@modelcontextprotocol/server";

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its arguments, all texts; a mark says which may be left out. */
  readonly args: Readonly<Record<string, { readonly about: string; readonly isOptional?: true }>>;
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: "review_cap_table",
    title: "Review the cap table",
    description: "Look through the cap table and its records for what is wrong, missing or due.",
    args: { asOf: { about: "A date as 2026-06-30; default today.", isOptional: true } },
    text: ({ asOf }) =>
      `Review the company's cap table${asOf ? ` as of ${asOf}` : ""}. Read get_summary, get_cap_table, get_health and ` +
      "get_dates. Say what stands out: findings of the health report by severity, classes and plans that are nearly " +
      "used up, what is due in the next three months, and what you could not check. Give figures exactly as they are.",
  },
  {
    name: "explain_holding",
    title: "Explain a holding",
    description: "Explain in plain words what a holder has, how it vests and where it came from.",
    args: { holder: { about: "The holder's name." }, asOf: { about: "A date; default today.", isOptional: true } },
    text: ({ holder, asOf }) =>
      `Explain what the holder named ${JSON.stringify(holder)} has${asOf ? ` as of ${asOf}` : ""}. Find the holder with ` +
      "list_holders, then read get_position, get_vesting for each grant and list_transactions. Explain in plain words " +
      "for a reader who is no lawyer. Give figures exactly as they are, and say where each came from.",
  },
  {
    name: "prepare_issuance",
    title: "Prepare an issuance",
    description: "Check and try an issuance of shares or options before it is recorded.",
    args: {
      holder: { about: "Who receives it." },
      quantity: { about: "How many, exactly." },
      of: { about: "The share class or the plan." },
      date: { about: "The effective date; default today.", isOptional: true },
    },
    text: ({ holder, quantity, of, date }) =>
      `Prepare an issuance of ${JSON.stringify(quantity)} of ${JSON.stringify(of)} to ${JSON.stringify(holder)}` +
      `${date ? ` on ${date}` : ""}. Find the holder, the class or plan, what of it is available, and the next ` +
      "certificate. Read describe_operation for the operation, ask me for whatever is missing instead of guessing, and " +
      "show what dry_run says. Where changes are offered, propose them only after I have agreed.",
  },
];

/** Offers them. */
export function addPrompts(server: McpServer): void {
  for (const { name, title, description, args, text } of PROMPTS) {
    const properties = Object.entries(args).map(([arg, { about }]) => [arg, { type: "string", description: about }]);
    const required = Object.entries(args).flatMap(([arg, { isOptional }]) => (isOptional ? [] : [arg]));
    const argsSchema = fromJsonSchema<Readonly<Record<string, string>>>({
      type: "object",
      properties: Object.fromEntries(properties),
      required,
    });
    server.registerPrompt(name, { title, description, argsSchema }, (given) => ({
      messages: [{ role: "user", content: { type: "text", text: text(given) } }],
    }));
  }
}
