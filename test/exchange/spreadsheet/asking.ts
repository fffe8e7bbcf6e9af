// Asking for imports over HTTP, as tests do: a document with its content, the import, and how it ended.
import { expect } from "bun:test";
import type { TestServer } from "../../kit/service.ts";

interface Given {
  readonly orgId?: string;
  /** What the document is called. */
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: object;
}

/** Stores a document's bytes. */
export async function upload(server: TestServer, documentId: string, bytes: Uint8Array, orgId = server.orgId) {
  const stored = await fetch(`${server.url}/api/v1/documents/${documentId}/content`, {
    method: "PUT",
    headers: { authorization: `Bearer ${await server.key("ADMIN", orgId)}` },
    body: Uint8Array.from(bytes),
  });
  expect(stored.status).toBe(200);
  await stored.text();
}

/** Makes a document of the bytes and asks for its import. */
export async function askImport(server: TestServer, bytes: Uint8Array, given: Given = {}) {
  const { orgId = server.orgId, name = "file.xlsx", headers = {}, more = {} } = given;
  const { json: document } = await server.api("POST", "/documents", { title: name, path: name }, { orgId });
  await upload(server, document.id, bytes, orgId);
  const asked = await server.api("POST", "/imports", { documentId: document.id, ...more }, { orgId, headers });
  expect([asked.status, asked.json.errors]).toEqual([201, undefined]);
  return asked.json.data;
}

/** The import once it goes on by itself no more. */
export async function ended(server: TestServer, id: string, orgId = server.orgId) {
  for (;;) {
    const { json } = await server.api("GET", `/imports/${id}`, undefined, { orgId });
    if (json.data.state !== "READING" && json.data.state !== "COMMITTING") return json.data;
    await Bun.sleep(5);
  }
}
