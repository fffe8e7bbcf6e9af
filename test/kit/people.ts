// People for tests: members made in the database itself, because a real password takes a sixth of a second, and what they
// ask for with their session.

import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { makeAccount, makeOperator } from "../../src/people/accounts.ts";
import { type AccountCall, accountCall } from "../../src/people/call.ts";
import { keepRecoveryCodes } from "../../src/people/routes/one-time-codes.ts";
import { passwordProof, useFactor } from "../../src/people/session-writes.ts";
import { hashToken, newToken } from "../../src/people/sign-in/token.ts";
import { countRecoveryCodes, findAccount } from "../../src/people/stores/account-store.ts";
import { provenCall, reportEvent } from "../../src/people/stores/log-store.ts";
import { insertMembership } from "../../src/people/stores/member-store.ts";
import { insertSession } from "../../src/people/stores/session-store.ts";
import { toldColumns } from "../../src/storage/database/log/account-log.ts";
import type { Row, Tx } from "../../src/storage/database/sql.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import type { MemberRole } from "../../src/storage/records/member.ts";
import type { Answer, TestServer } from "./service.ts";

/** The password of everybody here. */
export const PASSWORD = "violet rocks sing daily";
/** A hash of it. */
export const PASSWORD_HASH =
  "$argon2id$v=19$m=65536,t=2,p=1$AauEXbEIzlsaMLcHAnJcSgBAby+MkWilycfHyagArGQ$0Yr8bKL7GMQxcU3ZW5PJVZvCNzcfnCFPoNF3dPq8VCs";
const HOUR_MS = 3_600_000;

/** What a test may say of a person. */
export interface PersonGiven {
  readonly role?: MemberRole;
  readonly stakeholderIds?: readonly string[];
  readonly name?: string;
  readonly email?: string;
  readonly isOperator?: boolean;
}

/** A person in the database: an account, and a member of one organization. */
export interface MadeMember {
  readonly accountId: string;
  readonly memberId: string;
  readonly email: string;
}

let counter = 0;

/** Makes an account that is a member of an organization; an ADMIN unless told otherwise. */
export async function makeMember(writer: Writer, orgId: string, given: PersonGiven = {}): Promise<MadeMember> {
  const { role = "ADMIN", stakeholderIds = [], name = "Ada Lovelace" } = given;
  const email = given.email ?? `person-${++counter}@example.com`;
  const call = commandLineCall(systemRuntime, orgId);
  const [accountId, memberId] = [call.newId(), call.newId()];
  await writer.submit((tx) => {
    const own = provenCall(accountCall(call), accountId);
    makeAccount(tx, own, { id: accountId, email, name, passwordHash: PASSWORD_HASH, isOperator: 0 });
    if (given.isOperator) makeOperator(tx, own, accountId);
    insertMembership(tx, call, { id: memberId, accountId, role, stakeholderIds });
  });
  return { accountId, memberId, email };
}

/** Makes an account that exists already a member of another organization, too. */
export async function joinOrganization(
  writer: Writer,
  orgId: string,
  accountId: string,
  { role = "ADMIN", stakeholderIds = [] }: Pick<PersonGiven, "role" | "stakeholderIds"> = {},
): Promise<string> {
  const call = commandLineCall(systemRuntime, orgId);
  const id = call.newId();
  await writer.submit((tx) => insertMembership(tx, call, { id, accountId, role, stakeholderIds }));
  return id;
}

/** What a test may say of a session. */
export interface SessionGiven {
  readonly hasSecondFactor?: boolean;
  /** Instants; by default now, now, and in a day. */
  readonly confirmedAt?: string;
  readonly lastSeenAt?: string;
  readonly expiresAt?: string;
}

/** Begins a session of an account in the database; returns its id and token. */
export async function beginSession(
  writer: Writer,
  accountId: string,
  given: SessionGiven = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const token = newToken();
  const nowMs = systemRuntime.nowMs();
  const at = toTimestamp(nowMs);
  const id = systemRuntime.newId();
  await writer.submit((tx) => {
    const account = findAccount(tx, { id: accountId });
    if (!account) throw new Error("no such account");
    const session = {
      ...{ id, createdAt: at, accountId, tokenHash: hashToken(token), method: "PASSWORD" as const },
      ...{ hasSecondFactor: given.hasSecondFactor ? (1 as const) : (0 as const), confirmedAt: given.confirmedAt ?? at },
      ...{ lastSeenAt: given.lastSeenAt ?? at, expiresAt: given.expiresAt ?? toTimestamp(nowMs + 24 * HOUR_MS) },
      ...{ endedAt: null, endedBy: null, address: null, userAgent: null },
    };
    insertSession(tx, session);
    const own = provenCall(accountCall(commandLineCall(systemRuntime, "")), accountId);
    const proof = { ...passwordProof(account), ...(given.hasSecondFactor ? secondProof(tx, own, account) : {}) };
    const data = { ...toldColumns(session), proof };
    reportEvent(tx, own, { accountId, event: "signed-in", data, sessionId: id });
  });
  return { id, token };
}

/** Gives an account a recovery code, and uses it up: a second factor without one-time codes or a passkey. */
function secondProof(tx: Tx, call: AccountCall, account: Row<"accounts">) {
  if ((countRecoveryCodes(tx, { accountId: account.id }) ?? 0) > 0) return {};
  const recoveryHash = hashToken(newToken());
  keepRecoveryCodes(tx, call, account, { codeHashes: [recoveryHash] });
  return useFactor(tx, call, account, { recoveryHash });
}

/** What a test may say of a person's request. */
export interface PersonCall {
  /** The organization that the request names; null: none. By default the first. */
  readonly orgId?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A person's browser: it keeps the cookie that it is given. */
export class Browser {
  token: string | null;
  readonly #server: TestServer;

  constructor(server: TestServer, token: string | null = null) {
    this.#server = server;
    this.token = token;
  }

  /** The cookie's name. */
  get cookieName(): string {
    return `captable-${new URL(this.#server.url).port}`;
  }

  /** Asks as a page of the server does. */
  async api(method: string, path: string, body?: unknown, { orgId, headers }: PersonCall = {}): Promise<Answer> {
    const organization = orgId === undefined ? this.#server.orgId : orgId;
    const answer = await this.#server.api(method, path, body, {
      key: null,
      headers: {
        "sec-fetch-site": "same-origin",
        ...(this.token === null ? {} : { cookie: `${this.cookieName}=${this.token}` }),
        ...(organization === null ? {} : { "captable-organization": organization }),
        ...headers,
      },
    });
    const cookie = answer.headers.get("set-cookie");
    const [, token] = new RegExp(`${this.cookieName}=([^;]*)`).exec(cookie ?? "") ?? [];
    if (token !== undefined) this.token = token === "" ? null : token;
    return answer;
  }
}

/** A member that is signed in. */
export async function signedIn(
  server: TestServer,
  given: PersonGiven & SessionGiven & { readonly orgId?: string } = {},
): Promise<Browser & MadeMember & { readonly sessionId: string }> {
  const made = await makeMember(server.app.writer, given.orgId ?? server.orgId, given);
  const { id: sessionId, token } = await beginSession(server.app.writer, made.accountId, given);
  return Object.assign(new Browser(server, token), made, { sessionId });
}
