// Clients of `captable mcp`, of both eras of the protocol, its tools inside this process, and what is proposed by them.
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Requests } from "../../../cli/mcp/requests.ts";
import { type Offer, serve } from "../../../cli/mcp/serve.ts";
import { Sender } from "../../kit/client.ts";
import type { TestServer } from "../../kit/service.ts";

/** The eras: the handshake of 2025-11-25, and requests that each say what they are of 2026-07-28. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

/** What the person answers when asked; null for a client that cannot ask. */
export type Person = ((message: string) => Promise<unknown> | unknown) | null;

/** The answer of a person who agrees. */
export const YES = { action: "accept", content: { confirm: true } };

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

/** A server, and the key of an assistant. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

/** Serves the tools inside this process; returns the client's end of the line. */
export function serveHere({ url, key }: Access, offer: Partial<Omit<Offer, "requests">> = {}): InMemoryTransport {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const requests = new Requests(new Sender({ server: url, key, retries: 0 }));
  void serve({ requests, mayWrite: true, writes: true, confirm: "person", ...offer }, theirs);
  return ours;
}

/** Connects a client to the tools inside this process. */
export async function connectHere(
  access: Access,
  { era, person = null, ...offer }: { readonly era: Era; readonly person?: Person } & Partial<Omit<Offer, "requests">>,
): Promise<Client> {
  const client = clientOf(era, person);
  await client.connect(serveHere(access, offer));
  return client;
}

/** To whom shares are issued, and of which class. */
export interface Issued {
  readonly stakeholderId: string | undefined;
  readonly stockClassId: string | undefined;
}

/** An operation that issues ten shares. */
export function issueShares(to: Issued, certificateId: string, more: object = {}) {
  return {
    method: "POST",
    path: "/api/v1/transactions/issue-shares",
    body: { ...to, quantity: "10", certificateId, effectiveDate: "2026-01-15", ...more },
  };
}

/** The number of the latest entry of the ledger; 0 for none. */
export async function sequenceOf(server: TestServer): Promise<number> {
  return (await server.api("GET", "/transactions?limit=1")).json.data[0]?.sequence ?? 0;
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
