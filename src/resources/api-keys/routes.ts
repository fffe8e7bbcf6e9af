// Routes of API keys: create, list, revoke. The key itself is in one answer, once, and nowhere else.
import { type Static, Type } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { body, EXTENSION, id, nullable, oneOf, text } from "../../kernel/fields.ts";
import { readInstant } from "../../kernel/instant.ts";
import { notFound, refuse } from "../../kernel/problem.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { API_KEY_FIELDS, ROLES, SCOPES, scopesOfRole, storedScopes } from "../../storage/records/api-key.ts";
import { listEnvelope } from "../crud.ts";
import { PAGE_QUERY } from "../list-query.ts";
import { presenter, timestamp } from "../present.ts";
import { type Route, recordPath, writeRoute } from "../route.ts";
import { generateKey, hashKey, type KeyEnvironment, shownPrefix } from "./key.ts";
import { makerOf, makerShape } from "./maker.ts";
import { refuseMoreThanOwn } from "./own-scopes.ts";
import { findKey, insertKey, listKeys, revokeKey } from "./store.ts";

const members = {
  id: id({ description: "Identifies the key." }),
  name: text(100, { description: "The key's name.", examples: ["Payroll sync"] }),
  role: oneOf(ROLES, { description: "What the key may do." }),
  prefix: Type.String({
    description: "The environment's prefix and the key's first 4 characters.",
    examples: ["pg_live_4fKz"],
  }),
  createdAt: timestamp({ description: "When the key was made." }),
  lastUsedAt: nullable(timestamp({ description: "To the minute." })),
  lastUsedAddress: nullable(
    Type.String({ description: "The address of that use.", examples: ["192.0.2.7"], ...EXTENSION }),
  ),
  revokedAt: nullable(timestamp({ description: "When the key was revoked; null while it works." })),
  expiresAt: nullable(timestamp({ description: "The instant at which the key expires." })),
  scopes: Type.Array(oneOf(SCOPES), {
    description: "The scopes of the key; no scope includes another.",
    examples: [["read", "write"]],
    ...EXTENSION,
  }),
  madeBy: nullable(makerShape("The author of the key.")),
};
const ApiKey = Type.Object(members);
const NewApiKey = Type.Object({
  ...members,
  key: Type.String({ description: "The key, shown this once only.", examples: ["pg_live_…"] }),
});
const ApiKeyCreate = body(API_KEY_FIELDS);

/**
 * The body of a new key; `expiresAt` is later than the call's instant, or null: it works until it is revoked. Without
 * `scopes` it has those of its role.
 */
type KeyGiven = Static<typeof ApiKeyCreate>;

/** Shows a key's row as the API answers it; never the key or its hash. */
export const showKey = presenter(ApiKey);

/**
 * Creates a key for `call.orgId` and returns its row with the key in plaintext, this once. Throws `422` if it would
 * have expired already or its role does not include a scope, and `403` if the calling key has less itself.
 */
export function createKey(
  tx: Tx,
  call: Call,
  environment: KeyEnvironment,
  given: KeyGiven,
): { readonly row: Omit<Row<"api_keys">, "seq">; readonly key: string } {
  const expiresAt = readInstant(given.expiresAt ?? "");
  const allowed = scopesOfRole(given.role);
  const scopes = given.scopes ?? allowed;
  refuse([
    ...(expiresAt !== null && expiresAt <= call.at ? [["#/expiresAt", "must be later than now"] as const] : []),
    ...(scopes.every((scope) => allowed.includes(scope))
      ? []
      : [["#/scopes", `must be of what the role ${given.role} may: ${allowed.join(", ")}`] as const]),
  ]);
  refuseMoreThanOwn(tx, call, given.role, scopes);
  const key = generateKey(environment);
  const row = {
    orgId: call.orgId,
    id: call.newId(),
    name: given.name,
    role: given.role,
    prefix: shownPrefix(key),
    keyHash: hashKey(key),
    createdAt: call.at,
    lastUsedAt: null,
    lastUsedAddress: null,
    scopes: storedScopes(scopes),
    revokedAt: null,
    expiresAt,
    madeBy: JSON.stringify(makerOf(tx, call)),
  };
  insertKey(tx, call, row);
  return { row, key };
}

/** Revokes a key at once; a revoked one stays as it is. Throws `404` if the organization has no key with this id. */
export function revokeKeyById(tx: Tx, call: Call, keyId: string): void {
  if (getKey(tx, call.orgId, keyId).revokedAt === null) revokeKey(tx, call, keyId);
}

function getKey(db: Reader, orgId: string, keyId: string): Row<"api_keys"> {
  const row = findKey(db, orgId, keyId);
  if (!row) throw notFound("API key");
  return row;
}

const ADMIN_ONLY = { tag: "API keys", role: "ADMIN", isExtension: true } as const;
const CHANGING = { ...ADMIN_ONLY, scope: "manage-keys", needsConfirmation: true, isBatchable: false } as const;

/** Revokes a key, with the links made by it. Throws as {@link revokeKeyById}. */
export type RevokeKey = (tx: Tx, call: Call, keyId: string) => void;

/** The API key routes. `environment` decides the prefix of new keys. */
export function apiKeyRoutes(environment: KeyEnvironment, revoke: RevokeKey): readonly Route[] {
  return [
    {
      ...ADMIN_ONLY,
      method: "GET",
      path: "/api/v1/api-keys",
      operationId: "listApiKeys",
      summary: "List API keys",
      status: 200,
      query: body(PAGE_QUERY),
      response: listEnvelope("items", ApiKey),
      run(db, { orgId, query }) {
        const scope = scopeOf(orgId, "api_keys");
        const page = pageOf(scope, query, ({ before, limit }) => listKeys(db, orgId, before, limit));
        return { status: 200, json: { items: page.rows.map(showKey), nextCursor: page.nextCursor } };
      },
    },
    writeRoute({
      ...CHANGING,
      method: "POST",
      path: "/api/v1/api-keys",
      operationId: "createApiKey",
      summary: "Create an API key",
      description: "A key makes keys of at most its own role and scopes.",
      status: 201,
      isLocated: true,
      body: ApiKeyCreate,
      bodyExample: { name: "Payroll sync", role: "EDITOR", scopes: ["read", "write"] },
      response: NewApiKey,
      run(tx, call, request) {
        const { row, key } = createKey(tx, call, environment, request.body);
        return { status: 201, json: { ...showKey(row), key }, location: recordPath("api-keys", row.id) };
      },
    }),
    {
      ...ADMIN_ONLY,
      method: "GET",
      path: "/api/v1/api-keys/:id",
      operationId: "getApiKey",
      summary: "Get an API key",
      status: 200,
      problems: [404],
      response: ApiKey,
      run: (db, { orgId, params }) => ({ status: 200, json: showKey(getKey(db, orgId, params.id ?? "")) }),
    },
    writeRoute({
      ...CHANGING,
      method: "DELETE",
      path: "/api/v1/api-keys/:id",
      operationId: "revokeApiKey",
      summary: "Revoke an API key",
      description: "At once. Invitations and reset links that were made with it, and are open, are revoked with it.",
      status: 204,
      problems: [404],
      run(tx, call, { params }) {
        revoke(tx, call, params.id ?? "");
        return { status: 204 };
      },
    }),
  ];
}
