// Clients of `captable mcp`, of both eras of the protocol: in a process of its own, or inside the test's.
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Requests } from "../../../cli/mcp/requests.ts";
import { type Offer, serve } from "../../../cli/mcp/serve.ts";
import { Sender } from "../../kit/client.ts";
import { PROGRAM, programEnvironment } from "../../kit/program.ts";

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

/** A file with a key, for its owner alone. */
export function keyFileOf(key: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "captable-mcp-")), "key");
  writeFileSync(file, `${key}\n`);
  chmodSync(file, 0o600);
  return file;
}

/** The transport of a process of `captable mcp`. */
export function programTransport(url: string, key: string, ...more: readonly string[]): StdioClientTransport {
  const [command = "", ...args] = [...PROGRAM, "mcp", "--server", url, "--key-file", keyFileOf(key), ...more];
  const given = Object.entries(programEnvironment()).filter(([, value]) => value !== undefined);
  return new StdioClientTransport({ command, args, env: Object.fromEntries(given) as Record<string, string> });
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
