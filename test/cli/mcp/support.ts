// Clients of `captable mcp`, of both eras of the protocol, and its tools inside this process.
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Requests } from "../../../cli/mcp/requests.ts";
import { type Offer, serve } from "../../../cli/mcp/serve.ts";
import { Sender } from "../../kit/client.ts";

/** The eras: the handshake of 2025-11-25, and requests that each say what they are of 2026-07-28. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

/** What the person answers when asked; null for a client that cannot ask. */
export type Person = ((message: string) => Promise<unknown> | unknown) | null;

/** A client of an era, not connected. */
export function clientOf(era: Era, person: Person = null): Client {
  const mode = era === "2025-11-25" ? ("legacy" as const) : { pin: era };
  const capabilities = person === null ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
  if (person !== null) {
    client.setRequestHandler("elicitation/create", async ({ params }) => (await person(params.message)) as never);
  }
  return client;
}

/** Connects a client to the tools inside this process. */
export async function connectHere(
  { url, key }: { readonly url: string; readonly key: string },
  { era, person = null, ...offer }: { readonly era: Era; readonly person?: Person } & Partial<Omit<Offer, "requests">>,
): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const requests = new Requests(new Sender({ server: url, key, retries: 0 }));
  void serve({ requests, mayWrite: true, writes: true, confirm: "person", ...offer }, theirs);
  const client = clientOf(era, person);
  await client.connect(ours);
  return client;
}

/** Calls a tool. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const answer = (await client.callTool({ name, arguments: args })) as CallToolResult;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return { ...answer, data: (answer.structuredContent ?? {}) as any, text: textOf(answer) };
}

function textOf({ content }: CallToolResult): string {
  return content.map((each) => (each.type === "text" ? each.text : "")).join("");
}
