// What the tests of resources share: reading refusals, and trying each member of a body at its limits and beyond.
import { expect } from "bun:test";
import type { Answer, TestServer } from "../kit/service.ts";

type Given = Readonly<Record<string, unknown>>;

/** A refusal in one line: status, kind, and what `errors` points at. */
export function refusal(answer: Answer): unknown[] {
  const { type, errors } = answer.json;
  const pointers = errors?.map((error: Record<string, string>) => error.pointer ?? error.parameter ?? error.header);
  return [answer.status, String(type).split("/").at(-1), ...(pointers ?? [])];
}

/** What a resource's bodies take and refuse. */
export interface BodyRules {
  /** The required members. */
  readonly required: Given;
  /** What else a body needs to be accepted, without any one member being required. */
  readonly besides?: Given;
  /** Accepted, with every other member as in `required`; the answer shows the member as sent. */
  readonly accepted: readonly (readonly [member: string, value: unknown])[];
  /** Refused with `422` at the member (or at the pointer given), on create and on PATCH. */
  readonly refused: readonly (readonly [member: string, value: unknown, pointer?: string])[];
  /** Members for which null is as if not given, and which PATCH clears with null. */
  readonly nullable: readonly string[];
  /** Members with a default: null is refused. */
  readonly defaulted?: readonly string[];
  /** Members that PATCH does not take. */
  readonly createOnly?: readonly string[];
}

/** Tries `rules` on the collection at `path`, on create and on PATCH. */
export async function tryBodies(server: TestServer, path: string, rules: BodyRules, isWrapped = false): Promise<void> {
  const open = (answer: Answer) => (isWrapped ? answer.json.data : answer.json);
  const create = (given: Given) => server.api("POST", path, { ...rules.besides, ...rules.required, ...given });
  const isPatched = (member: string) => !rules.createOnly?.includes(member);
  const made = open(await create({}));
  const patch = (given: Given) => server.api("PATCH", `${path}/${made.id}`, given);
  const isMissing = "is required";

  for (const member of Object.keys(rules.required)) {
    const { [member]: _left, ...others } = rules.required;
    const answer = await server.api("POST", path, others);
    expect([member, ...refusal(answer)]).toEqual([member, 422, "validation-failed", `#/${member}`]);
    expect(answer.json.errors[0].detail).toBe(isMissing);
    const nulls = [await create({ [member]: null }), ...(isPatched(member) ? [await patch({ [member]: null })] : [])];
    for (const answered of nulls)
      expect([member, ...refusal(answered)].slice(0, 4)).toEqual([member, 422, "validation-failed", `#/${member}`]);
  }
  for (const [member, value] of rules.accepted) {
    const created = await create({ [member]: value });
    expect([member, created.status, open(created)?.[member]]).toEqual([member, 201, value]);
    if (!isPatched(member)) continue;
    const patched = await patch({ [member]: value });
    expect([member, patched.status, open(patched)?.[member]]).toEqual([member, 200, value]);
  }
  for (const [member, value, pointer = `#/${member}`] of [...rules.refused, ["misspelled", "x"] as const]) {
    const answers = [
      await create({ [member]: value }),
      ...(isPatched(member) ? [await patch({ [member]: value })] : []),
    ];
    for (const answer of answers) {
      expect([member, value, ...refusal(answer)]).toEqual([member, value, 422, "validation-failed", pointer]);
    }
  }
  for (const member of rules.nullable) {
    const created = await create({ [member]: null });
    expect([member, created.status, open(created)?.[member]]).toEqual([member, 201, null]);
    if (!isPatched(member)) continue;
    const patched = await patch({ [member]: null });
    expect([member, patched.status, open(patched)?.[member]]).toEqual([member, 200, null]);
  }
  for (const member of rules.defaulted ?? []) {
    for (const answer of [await create({ [member]: null }), await patch({ [member]: null })]) {
      expect([member, ...refusal(answer)]).toEqual([member, 422, "validation-failed", `#/${member}`]);
    }
  }
}

/** Tries what every resource does alike: Location, envelopes, paging, idempotency, roles, foreign ids, delete. */
export async function tryCommonRules(
  server: TestServer,
  path: string,
  body: Given,
  listKey: "items" | "data",
  isWrapped = false,
): Promise<void> {
  const open = (answer: Answer) => (isWrapped ? answer.json.data : answer.json);
  const key = `k-${path}`;
  const created = await server.api("POST", path, body, { headers: { "idempotency-key": key } });
  const record = open(created);
  expect([created.status, created.headers.get("location")]).toEqual([201, `/api/v1${path}/${record.id}`]);
  expect(record).toMatchObject({ orgId: server.orgId, createdAt: record.updatedAt });

  const again = await server.api("POST", path, body, { headers: { "idempotency-key": key } });
  expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([201, created.text, "true"]);

  const own = `${path}/${record.id}`;
  // A write answers its warnings, and a read never does.
  const { warnings, ...kept } = record;
  expect(Array.isArray(warnings)).toBe(true);
  expect(open(await server.api("GET", own, undefined, { role: "VIEWER" }))).toEqual(kept);
  expect((await server.api("PATCH", own, {})).json).toEqual(created.json);
  const second = open(await server.api("POST", path, body, { role: "EDITOR" }));
  const page = await server.api("GET", `${path}?limit=1`, undefined, { role: "VIEWER" });
  expect(page.json[listKey].map((listed: { id: string }) => listed.id)).toEqual([second.id]);
  const rest = await server.api("GET", `${path}?limit=1&cursor=${page.json.nextCursor}`);
  expect(rest.json[listKey].map((listed: { id: string }) => listed.id)).toEqual([record.id]);
  expect(refusal(await server.api("GET", `${path}?colour=red`))).toEqual([422, "validation-failed", "colour"]);

  const foreign = { orgId: await server.newOrganization() };
  for (const [method, sent] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
    const stranger = await server.api(method, own, sent, foreign);
    const unknown = await server.api(method, `${path}/unknown`, sent);
    expect([stranger.status, stranger.json.detail]).toEqual([404, unknown.json.detail]);
  }
  expect((await server.api("GET", path, undefined, foreign)).json).toEqual({ [listKey]: [], nextCursor: null });
  for (const [method, at, sent] of [
    ["POST", path, body],
    ["PATCH", own, {}],
    ["DELETE", own],
  ] as const) {
    expect((await server.api(method, at, sent, { role: "VIEWER" })).status).toBe(403);
  }

  expect((await server.api("DELETE", own)).status).toBe(204);
  for (const method of ["GET", "DELETE"]) expect((await server.api(method, own)).status).toBe(404);
  expect((await server.api("GET", `${path}?limit=100`)).text).not.toContain(record.id);
}

/** The newest ledger entry. */
export async function newestEntry(server: TestServer) {
  return (await server.api("GET", "/transactions?limit=1")).json.data[0] ?? null;
}
