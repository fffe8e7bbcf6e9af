// Set-up: the first account of an instance, made with the first key.

import { timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { body, email } from "../../kernel/fields.ts";
import { readPrivateFile } from "../../kernel/files/private-file.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import { findKeyByHash } from "../../resources/api-keys/store.ts";
import { findOrganization } from "../../resources/organization/store.ts";
import { ADMIN_KEY_FILE } from "../../storage/data-dir/names.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { lackingScopes, SCOPES } from "../../storage/records/api-key.ts";
import { anybodysRoute, type Desk } from "../access-route.ts";
import { makeAccount } from "../accounts.ts";
import { personCall } from "../call.ts";
import { command } from "../command.ts";
import { beginSession, type NewSession } from "../session-writes.ts";
import { hashNewPassword } from "../sign-in/new-password.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { hasAccounts } from "../stores/account-store.ts";
import { provenCall } from "../stores/log-store.ts";
import { insertMembership } from "../stores/member-store.ts";
import { GIVEN_PASSWORD, newSession, PERSON_NAME, SESSION_ANSWER, signedIn } from "./session-answer.ts";

const ADMIN_KEY = Type.String({ maxLength: 200, description: "The key that the file `admin.key` holds." });

/** The first account. */
export interface Setup {
  /** Of the key in `admin.key`. */
  readonly keyHash: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly session: NewSession;
}

/** Throws `409 invalid-state` if an account exists: further members are invited. */
export function refuseSecondSetup(db: Reader): void {
  if (hasAccounts(db))
    throw problem("invalid-state", "This server has an account already. Further people join by invitation.");
}

/** Makes the first account: an operator, `ADMIN` of the key's organization, signed in. */
export const setUp = command("setUp", (tx, call, { keyHash, email, name, passwordHash, session }: Setup): void => {
  refuseSecondSetup(tx);
  const key = findKeyByHash(tx, keyHash);
  if (key?.role !== "ADMIN" || (key.expiresAt !== null && key.expiresAt <= call.at)) {
    throw problem("sign-in-failed", "The key in admin.key no longer has the role ADMIN.");
  }
  // The account gets all rights: a key with fewer must not become one.
  const lacking = lackingScopes(key.scopes, SCOPES);
  if (lacking.length > 0) throw problem("forbidden", `The key in admin.key lacks the scope ${lacking.join(", ")}.`);
  const id = call.newId();
  const own = provenCall(call, id);
  const { salt } = makeAccount(tx, own, { id, email, name, passwordHash, isOperator: 1 });
  const sessionId = call.newId();
  const write = personCall(call, key.orgId, { id, name, sessionId });
  insertMembership(tx, write, { id: call.newId(), accountId: id, role: "ADMIN", stakeholderIds: [] });
  const proof = { apiKeyId: key.id, apiKey: commitTo(salt, keyHash) };
  beginSession(tx, own, id, { ...session, method: "SETUP", hasSecondFactor: false, proof, id: sessionId });
});

/** The route of the set-up. */
export const setup = anybodysRoute({
  ...{ tag: "Signing in", isExtension: true, who: "ANYBODY" },
  method: "POST",
  path: "/api/v1/auth/setup",
  operationId: "setUp",
  summary: "Make the first account",
  description:
    "With the key that the file `admin.key` in the data directory holds. The account runs the instance and is `ADMIN` " +
    "of the key's organization. Where there is an account already, people come by invitation.",
  status: 201,
  problems: [409],
  body: body({
    key: ADMIN_KEY,
    name: { ...PERSON_NAME, description: "The person's name." },
    email: email({ description: "The email address by which the person signs in." }),
    password: GIVEN_PASSWORD,
  }),
  bodyExample: {
    key: "pg_live_…",
    name: "Ada Lovelace",
    email: "ada@example.com",
    password: "a long sentence of yours",
  },
  response: SESSION_ANSWER,
  async run(desk, { body: given, session: replaced, visitor, address, nowMs }) {
    refuseSecondSetup(desk.db);
    const { token, session } = newSession(desk, nowMs, replaced);
    const giveBack = desk.failures.attemptFrom(address, nowMs);
    const keyHash = keyHashOfFile(desk, given.key);
    const key = findKeyByHash(desk.db, keyHash);
    const organization = key && findOrganization(desk.db, key.orgId);
    giveBack();
    const known = { email: given.email, names: [given.name, organization?.legalName ?? ""], address };
    const passwordHash = await hashNewPassword(desk, given.password, known);
    const { name: called, email: address_ } = given;
    await desk.execute(setUp, { keyHash, email: address_, name: called, passwordHash, session }, visitor);
    return signedIn(desk, token, nowMs, 201);
  },
});

/** The hash of the key, if it is the one in the file. Throws `401 sign-in-failed`, and says no more. */
function keyHashOfFile({ dataDir }: Desk, key: string): string {
  const given = hashToken(key);
  const inFile = hashToken(readKeyFile(dataDir) ?? newToken());
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(inFile))) throw wrongKey();
  return given;
}

function readKeyFile(dataDir: string): string | null {
  try {
    return readPrivateFile(join(dataDir, ADMIN_KEY_FILE));
  } catch {
    return null;
  }
}

function wrongKey(): Problem {
  const otherwise = "without that file, `captable members invite --operator` makes the first account.";
  return problem("sign-in-failed", `This is not the key that the file admin.key holds; ${otherwise}`);
}
