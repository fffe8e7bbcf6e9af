// Folds the log of accounts: how each event changes accounts, factors, links and sessions, and whether it was possible
// at its place. Pure.

import { foldEmail } from "../../../kernel/text/email.ts";
import type { SqlValue } from "../../../storage/database/sql.ts";
import { RESTORE } from "../report.ts";
import { nameOfEvent, type ReadEvent, type Said, type TellPerson } from "./event.ts";
import { digestOf, faultOfSignIn, givesFactor, heldProofs, type ProofPlace, type StoredKey } from "./proof.ts";
import { type Expected, type KnownAccount, type KnownSession, type Made, PeopleState } from "./state.ts";

/** Queries of the tables. */
export interface PeoplePort {
  findKey(id: string): StoredKey | null;
  /** Whether the table of sessions still has this one. */
  hasSession(id: string): boolean;
}

/** Takes events, oldest first. */
export class PeopleFold {
  readonly state = new PeopleState();
  readonly #port: PeoplePort;
  readonly #tell: TellPerson;

  constructor(port: PeoplePort, tell: TellPerson) {
    this.#port = port;
    this.#tell = tell;
  }

  /** Takes the next event. */
  take(event: ReadEvent): void {
    const handle = HANDLERS[event.event];
    const fault = handle === undefined ? "this program does not know such an event" : handle(event, this.#place(event));
    if (fault === null) return;
    const detail = `it says ${event.event}, and ${fault}`;
    this.#tell({ code: "log-contradicts", subject: nameOfEvent(event), detail, fix: RESTORE }, event.accountId);
  }

  #place({ at }: ReadEvent): Place {
    const { findKey, hasSession } = this.#port;
    return { state: this.state, at, findKey, hasSession };
  }
}

type Place = ProofPlace & Pick<PeoplePort, "hasSession">;
/** Changes the state; returns what contradicts it, or null. */
type Handler = (event: ReadEvent, place: Place) => string | null;
type AccountHandler = (account: KnownAccount, event: ReadEvent, place: Place) => string | null;

const NO_ACCOUNT = "no event before made the account";
const NO_SESSION = "the account had no such session then";
const NO_PROOF = "its proof did not hold";

function ofAccount(handle: AccountHandler): Handler {
  return (event, place) => {
    const account = place.state.accounts.get(event.accountId ?? "");
    return account === undefined ? NO_ACCOUNT : handle(account, event, place);
  };
}

/** The same for an event that may give its session another token. */
function renewing(handle: AccountHandler): Handler {
  return ofAccount((account, event, place) => handle(account, event, place) ?? renew(account, event, place));
}

function changing(change: (columns: Expected, event: ReadEvent) => void): Handler {
  return ofAccount(({ columns }, event) => {
    change(columns, event);
    return null;
  });
}

/** The session of an event gets the token that the event names, if it does. */
function renew(account: KnownAccount, { data, sessionId }: ReadEvent, place: Place): string | null {
  if (!("tokenHash" in data)) return null;
  const session = place.state.sessions.get(sessionId ?? "");
  if (session?.accountId !== account.id || session.to !== null) return NO_SESSION;
  const held = data.proof === null ? new Set<string>() : heldProofs(account, data.proof, place);
  // The session's second factor stands in its row, whether the sign-in was right or not.
  const fault = changeToken(session, data, held ?? new Set());
  return held === null ? NO_PROOF : fault;
}

function changeToken({ row }: KnownSession, data: Said, held: ReadonlySet<string>): string | null {
  if (row === null) return null;
  const before = row.columns.hasSecondFactor;
  row.columns.tokenHash = columnValue(data.tokenHash);
  row.columns.hasSecondFactor = columnValue(data.hasSecondFactor);
  const isWith = data.hasSecondFactor === 1;
  const isFree = held.has("identityId") && isWith;
  if (isFree || isWith === (before === 1 || givesFactor(held))) return null;
  return "the session's second factor does not follow from what was given";
}

function makeAccount({ accountId, data, at, sequence, event }: ReadEvent, { state }: Place): string | null {
  if (accountId === null || state.accounts.has(accountId)) return "there was such an account already";
  const { email, name, isOperator, suspendedAt, salt, password, createdAt } = data;
  const columns = {
    ...{ id: accountId, createdAt: columnValue(createdAt ?? at), email: columnValue(email), name: columnValue(name) },
    ...{
      emailFolded: foldEmail(String(email)),
      isOperator: columnValue(isOperator),
      suspendedAt: columnValue(suspendedAt),
    },
    ...{ salt: columnValue(salt), passwordHash: columnValue(password), totpSecret: null },
    ...{ pendingEmail: null, pendingEmailAt: null },
  };
  state.accounts.set(accountId, {
    ...{ id: accountId, salt: String(salt), place: state.nextPlace(), columns },
    ...{ passkeys: new Map(), identities: new Map(), calendars: new Map(), codes: new Map() },
    ...{ names: [{ from: sequence, name: String(name) }], hasArrived: event === "account-arrived" },
  });
  return null;
}

function signIn(account: KnownAccount, event: ReadEvent, place: Place): string | null {
  const { sessionId, data, sequence } = event;
  const { state, hasSession } = place;
  const { proof: _proof, ...said } = data;
  if (sessionId === null || state.sessions.has(sessionId)) return "there was such a session already";
  const columns = columnsOf(said);
  const row = hasSession(sessionId) ? { place: state.nextPlace(), columns } : null;
  const expiresAt = String(data.expiresAt);
  state.addSession(sessionId, { accountId: account.id, from: sequence, to: null, expiresAt, row });
  if (data.id !== sessionId || data.accountId !== account.id) return "it names another session or account";
  return data.method === "SETUP" && state.accounts.size > 1
    ? "there were accounts already"
    : faultOfSignIn(account, data, place);
}

/** Ends sessions, each of the event's account unless it is the instance's event. */
function end({ accountId, at, sequence, data }: ReadEvent, { state }: Place): string | null {
  let fault: string | null = null;
  for (const id of textsOf(data.ids)) {
    const session = state.sessions.get(id);
    if (session === undefined || session.to !== null || (accountId !== null && session.accountId !== accountId)) {
      fault = NO_SESSION;
      continue;
    }
    session.to = sequence;
    if (session.row) Object.assign(session.row.columns, { endedAt: at, endedBy: columnValue(data.endedBy) });
  }
  return fault;
}

/** If an account has no second factor left, its recovery codes are removed, and no session counts as with one. */
function forgetNoFactor(account: KnownAccount, { state }: Place): void {
  if (account.columns.totpSecret !== null || account.passkeys.size > 0) return;
  account.codes = new Map();
  for (const { row } of state.openSessions(account.id)) if (row) row.columns.hasSecondFactor = 0;
}

function add(rows: Map<string, Made>, { accountId, at, data }: ReadEvent, { state }: Place): null {
  const { tokenHash: _token, hasSecondFactor: _factor, proof: _proof, ...said } = data;
  const columns = { ...columnsOf(said), accountId, createdAt: columnValue(data.createdAt ?? at) };
  rows.set(String(data.id), { place: state.nextPlace(), columns });
  return null;
}

function remove(rows: Map<string, Made>, { data }: ReadEvent): string | null {
  return rows.delete(String(data.id)) ? null : "the account had none with this id";
}

function makeCodes(account: KnownAccount, { accountId, at, data }: ReadEvent, { state }: Place): null {
  const ids = textsOf(data.ids);
  account.codes = new Map();
  for (const [index, codeHash] of textsOf(data.codes).entries()) {
    const columns = { id: ids[index] ?? null, createdAt: columnValue(data.createdAt ?? at), accountId, codeHash };
    account.codes.set(codeHash, { place: state.nextPlace(), columns: { ...columns, usedAt: null } });
  }
  return null;
}

function useCode({ codes }: KnownAccount, { at, data }: ReadEvent): string | null {
  const code = codes.get(String(data.code));
  if (code === undefined || code.columns.usedAt !== null) return "the account had no such code left";
  code.columns.usedAt = at;
  return null;
}

function makeLink({ accountId, by, data }: ReadEvent, { state }: Place): string | null {
  const id = String(data.id);
  if (state.links.has(id)) return "there was such a link already";
  const columns = columnsOf(data);
  state.links.set(id, { place: state.nextPlace(), columns, used: null });
  if (columns.accountId !== accountId) return "it names another account";
  if (columns.kind === "EMAIL") return by.accountId === accountId ? null : "another person made it";
  const maker = state.accounts.get(String(by.accountId));
  const isByRight = by.actor !== "person" || columns.orgId !== null || maker?.columns.isOperator === 1;
  return isByRight ? null : "its maker was not an operator then";
}

function useLink({ accountId, at, data }: ReadEvent, { state }: Place): string | null {
  const link = state.links.get(String(data.id));
  if (link === undefined || link.columns.usedAt !== null || link.columns.revokedAt !== null) return "it was not open";
  const digest = digestOf(link.columns);
  link.used = { at, accountId, digest };
  link.columns.usedAt = at;
  if (digest !== data.link) return "its row was different then";
  if (String(link.columns.expiresAt) <= at) return "it had expired";
  const { validFrom = null, agreedAt } = link.columns;
  if (validFrom !== null && agreedAt === null && String(validFrom) > at) return "it did not count yet";
  const account = state.accounts.get(accountId ?? "");
  const isTheirs =
    link.columns.kind === "INVITATION"
      ? account?.columns.emailFolded === link.columns.emailFolded
      : link.columns.accountId === accountId;
  return isTheirs ? null : "it belonged to another account";
}

function closeLink(column: "revokedAt" | "agreedAt") {
  return ({ at, data }: ReadEvent, { state }: Place): string | null => {
    const link = state.links.get(String(data.id));
    if (link === undefined || link.columns.usedAt !== null || link.columns.revokedAt !== null) return "it was not open";
    link.columns[column] = at;
    return null;
  };
}

function makeCalendar({ id, calendars, columns }: KnownAccount, { data }: ReadEvent, { state }: Place): string | null {
  const calendarId = String(data.id);
  if (calendars.has(calendarId)) return "there was such a calendar already";
  calendars.set(calendarId, { place: state.nextPlace(), columns: columnsOf(data) });
  if (data.accountId !== id) return "it names another account";
  return columns.suspendedAt === null ? null : "the account was suspended";
}

/** Ends calendars of an account; null: of any. */
function endCalendars(account: KnownAccount | null, ids: readonly string[], { state }: Place): string | null {
  let fault: string | null = null;
  for (const id of ids) {
    const owner = account ?? [...state.accounts.values()].find(({ calendars }) => calendars.has(id));
    if (owner?.calendars.delete(id) !== true) fault = "the account had no such calendar then";
  }
  return fault;
}

function restore(event: ReadEvent, place: Place): string | null {
  const fault = end(event, place);
  const revoke = closeLink("revokedAt");
  const faults = textsOf(event.data.links).map((id) => revoke({ ...event, data: { id } }, place));
  const ofCalendars = endCalendars(null, textsOf(event.data.calendars), place);
  return fault ?? faults.find((each) => each !== null) ?? ofCalendars;
}

/** An event that changes nothing. */
const nothing: Handler = () => null;
const nothingOfAccount: Handler = ofAccount(() => null);

const HANDLERS: Readonly<Record<string, Handler>> = {
  "account-made": makeAccount,
  "account-arrived": makeAccount,
  "name-changed": ofAccount(({ columns, names }, { sequence, data }) => {
    columns.name = columnValue(data.name);
    names.push({ from: sequence, name: String(data.name) });
    return null;
  }),
  "email-asked": changing((columns, { at, data }) => {
    const isTakenBack = data.email === columns.email;
    columns.pendingEmail = isTakenBack ? null : columnValue(data.email);
    columns.pendingEmailAt = isTakenBack ? null : at;
  }),
  "email-changed": changing((columns, { data }) => {
    columns.email = columnValue(data.email);
    columns.emailFolded = foldEmail(String(data.email));
    columns.pendingEmail = null;
    columns.pendingEmailAt = null;
  }),
  "made-operator": changing((columns) => {
    columns.isOperator = 1;
  }),
  suspended: changing((columns, { at }) => {
    columns.suspendedAt = at;
  }),
  "suspension-lifted": changing((columns) => {
    columns.suspendedAt = null;
  }),
  "password-changed": renewing(({ columns }, { data }) => {
    columns.passwordHash = columnValue(data.password);
    return null;
  }),
  "password-reset": ofAccount((account, { data }, place) => {
    const held = heldProofs(account, data.proof, place);
    account.columns.passwordHash = columnValue(data.password);
    return held?.has("linkId") ? null : NO_PROOF;
  }),
  "password-rehashed": changing((columns, { data }) => {
    columns.passwordHash = columnValue(data.password);
  }),
  "totp-added": renewing(({ columns }, { data }) => {
    columns.totpSecret = columnValue(data.totp);
    return null;
  }),
  "totp-removed": renewing((account, _event, place) => {
    account.columns.totpSecret = null;
    forgetNoFactor(account, place);
    return null;
  }),
  "recovery-codes-made": renewing(makeCodes),
  "recovery-code-used": ofAccount(useCode),
  "passkey-added": renewing(({ passkeys }, event, place) => add(passkeys, event, place)),
  "passkey-removed": renewing((account, event, place) => {
    const fault = remove(account.passkeys, event);
    forgetNoFactor(account, place);
    return fault;
  }),
  "passkey-counter-went-back": nothingOfAccount,
  "identity-added": renewing(({ identities }, event, place) => add(identities, event, place)),
  "identity-removed": renewing(({ identities }, event) => remove(identities, event)),
  "second-factors-removed": ofAccount((account) => {
    account.columns.totpSecret = null;
    account.codes = new Map();
    account.passkeys.clear();
    account.identities.clear();
    return null;
  }),
  "link-made": makeLink,
  "link-used": useLink,
  "link-revoked": closeLink("revokedAt"),
  "link-agreed": closeLink("agreedAt"),
  "signed-in": ofAccount(signIn),
  confirmed: ofAccount((account, event, place) => {
    const session = place.state.sessions.get(event.sessionId ?? "");
    if (session?.row && session.accountId === account.id) session.row.columns.confirmedAt = event.at;
    return event.data.proof === null ? NO_PROOF : renew(account, event, place);
  }),
  "token-renewed": renewing(() => null),
  "signed-out": end,
  "session-ended": end,
  "sessions-ended": end,
  "calendar-made": ofAccount(makeCalendar),
  "calendar-ended": ofAccount((account, { data }, place) => endCalendars(account, textsOf(data.ids), place)),
  restored: restore,
  "sign-in-failed": nothingOfAccount,
  "second-factor-failed": nothingOfAccount,
  "confirmation-failed": nothingOfAccount,
  "rollback-accepted": nothing,
};

function columnsOf(said: Said): Expected {
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, columnValue(value)]));
}

/** A member that stands for a column's value. */
function columnValue(member: unknown): SqlValue {
  return typeof member === "string" || typeof member === "number" ? member : null;
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
}
