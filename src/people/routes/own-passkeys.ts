// Passkeys: signing in and confirming with one, and a person's own. A passkey's counter is checked in the transaction that
// stores it, so that of two uses of one answer exactly one counts.

import { type TSchema, Type } from "@sinclair/typebox";
import { body, defaulted, id, nullable, oneOf, text } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { presenter, timestamp } from "../../resources/present.ts";
import type { Proof } from "../../storage/database/log/account-events.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { type AccessRoute, anybodysRoute, type Desk, type PersonsRoute, personsRoute } from "../access-route.ts";
import type { AccountCall } from "../call.ts";
import { command } from "../command.ts";
import { forgetNoFactor, requireFactor } from "../factors.ts";
import type { Session } from "../principal.ts";
import {
  beginSession,
  type NewSession,
  renew,
  renewByProof,
  requireAccount,
  requireSession,
} from "../session-writes.ts";
import { canHavePasskeys, SessionShown } from "../shown.ts";
import {
  type PasskeyOutcome,
  passkeyFailed,
  provePasskey,
  refuseUnaccepted,
  type UsedPasskey,
} from "../sign-in/passkey-proof.ts";
import {
  ASSERTION,
  ATTESTATION,
  checkAttestation,
  creationOptions,
  type MadePasskey,
  requestOptions,
  takeChallenge,
} from "../sign-in/passkeys.ts";
import { hashRecoveryCode, newRecoveryCodes } from "../sign-in/totp.ts";
import { waysOf } from "../sign-in/ways-left.ts";
import { type Account, countRecoveryCodes } from "../stores/account-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  type Passkey,
  setPasskeyUsed,
} from "../stores/passkey-store.ts";
import { requireOtherWay, type Ways } from "../ways.ts";
import { keepRecoveryCodes, RecoveryCodes } from "./one-time-codes.ts";
import { newSession, type Renewing, renewed, renewing, SESSION_ANSWER, signedIn } from "./session-answer.ts";

const publicRoute = {
  tag: "Signing in",
  isExtension: true,
  who: "ANYBODY",
  method: "POST",
  status: 200,
  problems: [409],
} as const;

const person = { tag: "Account", isExtension: true, who: "PERSON" } as const;

const OwnPasskey = Type.Object(
  {
    id: id({ description: "Identifies the passkey." }),
    name: text(100, { description: "What its owner calls it.", examples: ["Ada's laptop"] }),
    createdAt: timestamp({ description: "When the passkey was added." }),
    lastUsedAt: nullable(timestamp({ description: "Null: never since it was made." })),
  },
  { description: "A passkey, without what it is checked with." },
);

const showPasskey = presenter(OwnPasskey);

/** Throws `409` if browsers cannot use passkeys for the public address. */
function refuseWhereNone({ publicUrl }: Desk): void {
  if (canHavePasskeys(publicUrl())) return;
  throw problem(
    "invalid-state",
    "Browsers have passkeys for a domain over https or for localhost, and not for this server.",
  );
}

function optionsAnswer(description: string, members: Record<string, TSchema>) {
  return Type.Object({ data: Type.Object(members, { additionalProperties: true, description }) });
}

const CHALLENGE = Type.String({
  description: "32 random bytes, base64url; for 5 minutes and one answer.",
  examples: ["0Vv3…"],
});

const ask = anybodysRoute({
  ...publicRoute,
  path: "/api/v1/auth/passkey/options",
  operationId: "beginPasskey",
  summary: "Ask for what a passkey is to sign",
  description:
    "To sign in, by any passkey that the browser has for this server; or, in a session, to confirm by one of its account.",
  isBodyOptional: true,
  body: body({
    for: defaulted(oneOf(["sign-in", "confirm"], { description: "What the answer is for." }), "sign-in"),
  }),
  bodyExample: { for: "sign-in" },
  response: optionsAnswer("For `PublicKeyCredential.parseRequestOptionsFromJSON`.", {
    challenge: CHALLENGE,
    rpId: Type.String({ description: "The host of the public address.", examples: ["cap.example.com"] }),
    userVerification: Type.String({ description: "Always so.", examples: ["required"] }),
  }),
  async run(desk, { body: given, session, address, nowMs }) {
    refuseWhereNone(desk);
    if (given.for === "confirm") {
      if (session === null) throw problem("unauthorized", "You are not signed in, so there is no session to confirm.");
      const own = listPasskeys(desk.db, session);
      const challenge = { use: "CONFIRM", sessionId: session.id } as const;
      return { status: 200, json: { data: await requestOptions(desk, challenge, own, nowMs) } };
    }
    desk.failures.begin(address, nowMs);
    const challenge = { use: "SIGN_IN", sessionId: null } as const;
    return { status: 200, json: { data: await requestOptions(desk, challenge, null, nowMs) } };
  },
});

const EXAMPLE = { id: "AaFd…", rawId: "AaFd…", type: "public-key" } as const;

/** Signs in by a passkey, which is two factors: possession, and what unlocked it. */
export const signInByPasskey = command(
  "signInByPasskey",
  (tx, call, { session, ...used }: UsedPasskey & { readonly session: NewSession }): PasskeyOutcome => {
    const passkey = requirePasskey(tx, used.passkeyId);
    const account = requireAccount(tx, passkey.accountId);
    if (!usePasskey(tx, call, passkey, used.counter)) return { isAccepted: false };
    const proof = passkeyProof(account, passkey);
    beginSession(tx, call, account.id, { ...session, method: "PASSKEY", hasSecondFactor: true, proof });
    return { isAccepted: true };
  },
);

const signIn = anybodysRoute({
  ...publicRoute,
  path: "/api/v1/auth/passkey",
  operationId: "signInByPasskey",
  summary: "Sign in with a passkey",
  description: "Which counts as two factors. Whatever is wrong, the answer is the same `401 sign-in-failed`.",
  body: body({ credential: ASSERTION }),
  bodyExample: {
    credential: { ...EXAMPLE, response: { clientDataJSON: "eyJ0…", authenticatorData: "SZYN…", signature: "MEUC…" } },
  },
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { visitor, nowMs } = request;
    const { token, session } = newSession(desk, nowMs, request.session);
    refuseWhereNone(desk);
    const used = await provePasskey(desk, request.body.credential, { use: "SIGN_IN", sessionId: null }, request);
    refuseUnaccepted(await desk.execute(signInByPasskey, { ...used, session }, visitor));
    return signedIn(desk, token, nowMs);
  },
});

/** Confirms a person's identity by a passkey. */
export const confirmByPasskey = command(
  "confirmByPasskey",
  (tx, call, { passkeyId, counter, tokenHash, ...asking }: UsedPasskey & Renewing): PasskeyOutcome => {
    const account = requireSession(tx, asking);
    const passkey = requirePasskey(tx, passkeyId);
    if (passkey.accountId !== account.id) throw passkeyFailed();
    if (!usePasskey(tx, call, passkey, counter)) return { isAccepted: false };
    renewByProof(tx, call, asking, { tokenHash, givesFactor: true, proof: passkeyProof(account, passkey) });
    return { isAccepted: true };
  },
);

/** The proof that this passkey answered. */
function passkeyProof({ salt }: Account, { id, publicKey }: Passkey): Proof {
  return { passkeyId: id, passkey: commitTo(salt, publicKey) };
}

function requirePasskey(tx: Tx, id: string): Passkey {
  const passkey = findPasskey(tx, { id });
  if (passkey === null) throw passkeyFailed();
  return passkey;
}

/** Stores a use. False if the counter went back: the authenticator was copied, or the answer was used before. */
function usePasskey(tx: Tx, call: AccountCall, passkey: Passkey, counter: number): boolean {
  const isCounting = counter > 0 || passkey.counter > 0;
  if (isCounting && counter <= passkey.counter) {
    const { id, accountId } = passkey;
    reportEvent(tx, call, { accountId, event: "passkey-counter-went-back", data: { id } });
    return false;
  }
  setPasskeyUsed(tx, { id: passkey.id, counter, lastUsedAt: call.at });
  return true;
}

const list: PersonsRoute = {
  ...person,
  method: "GET",
  path: "/api/v1/auth/passkeys",
  operationId: "listPasskeys",
  summary: "List your passkeys",
  status: 200,
  response: listEnvelope("items", OwnPasskey),
  run: ({ db }, { session }) => ({
    status: 200,
    json: { items: listPasskeys(db, session).map(showPasskey), nextCursor: null },
  }),
};

const addingOf = ({ id: sessionId }: Session) => ({ use: "ADD", sessionId }) as const;

const begin: PersonsRoute = {
  ...person,
  method: "POST",
  path: "/api/v1/auth/passkeys/options",
  operationId: "beginPasskeyCreation",
  summary: "Ask for what a new passkey is to be",
  status: 200,
  needsConfirmation: true,
  problems: [409],
  response: optionsAnswer("For `PublicKeyCredential.parseCreationOptionsFromJSON`.", { challenge: CHALLENGE }),
  async run(desk, { session, nowMs }) {
    refuseWhereNone(desk);
    const { accountId, email, name } = session;
    const present = listPasskeys(desk.db, session);
    const who = { account: { id: accountId, email, name }, present };
    return { status: 200, json: { data: await creationOptions(desk, addingOf(session), who, nowMs) } };
  },
};

const PASSKEYS_MAX = 20;

/** A passkey to store, and recovery codes for an account that has none. */
export interface NewPasskey extends Renewing, MadePasskey {
  readonly name: string;
  readonly codeHashes: readonly string[];
}

/** Adds a passkey. Throws `409` if it is known, or there are too many. */
export const addPasskey = command(
  "addPasskey",
  (
    tx,
    call,
    { tokenHash, codeHashes, sessionId, accountId, ...made }: NewPasskey,
  ): { readonly id: string; readonly hasNewCodes: boolean } => {
    const asking = { sessionId, accountId };
    const account = requireSession(tx, asking);
    requireFactor(tx, account, sessionId);
    if (findPasskeyByCredential(tx, made)) throw problem("conflict", "This passkey was added already.");
    if (Number(countPasskeys(tx, { accountId })) >= PASSKEYS_MAX) {
      throw problem("invalid-state", `An account has at most ${PASSKEYS_MAX} passkeys: remove one first.`);
    }
    const id = call.newId();
    insertPasskey(tx, { id, createdAt: call.at, accountId, ...made });
    const hasNewCodes = Number(countRecoveryCodes(tx, { accountId })) === 0;
    const own = provenCall(call, accountId);
    if (hasNewCodes) keepRecoveryCodes(tx, own, account, { codeHashes });
    const { credentialId, publicKey } = made;
    const proof = { passkeyId: id, passkey: commitTo(account.salt, publicKey) };
    const renewed = renew(tx, asking, { tokenHash, givesFactor: true, proof });
    const data = { id, credentialId, publicKey, ...renewed };
    reportEvent(tx, own, { accountId, event: "passkey-added", data, sessionId });
    return { id, hasNewCodes };
  },
);

const add = personsRoute({
  ...person,
  method: "POST",
  path: "/api/v1/auth/passkeys",
  operationId: "addPasskey",
  summary: "Add a passkey",
  description: "With what the browser made of `/auth/passkeys/options`. The first factor brings recovery codes.",
  status: 201,
  needsConfirmation: true,
  problems: [409],
  body: body({
    name: defaulted(text(100, { description: "What its owner calls the passkey." }), "Passkey"),
    credential: ATTESTATION,
  }),
  bodyExample: {
    name: "Ada's laptop",
    credential: {
      ...EXAMPLE,
      response: { clientDataJSON: "eyJ0…", attestationObject: "o2Nm…", transports: ["internal"] },
    },
  },
  response: Type.Object({
    data: Type.Object({ ...SessionShown.properties, recoveryCodes: RecoveryCodes, passkey: OwnPasskey }),
  }),
  async run(desk, request) {
    const { session, body: given, visitor, nowMs } = request;
    refuseWhereNone(desk);
    const { clientDataJSON } = given.credential.response;
    const challenge = takeChallenge(desk, clientDataJSON, addingOf(session), nowMs);
    if (challenge === null) {
      throw problem("invalid-state", "The request for this passkey is unknown or has expired. Begin again.");
    }
    const made = await checkAttestation(desk, given.credential, challenge);
    if (made === null) {
      const detail = "is not what was asked for: a passkey for this server that verifies its user";
      throw problem("validation-failed", "The passkey was not accepted.", [{ pointer: "#/credential", detail }]);
    }
    const codes = newRecoveryCodes();
    const { token, asked } = renewing(request);
    const { name = "Passkey" } = given;
    const data = { ...asked, ...made, name, codeHashes: codes.map(hashRecoveryCode) };
    const { id: passkeyId, hasNewCodes } = await desk.execute(addPasskey, data, visitor);
    const passkey = listPasskeys(desk.db, session).find((each) => each.id === passkeyId);
    const more = { recoveryCodes: hasNewCodes ? codes : null, passkey: passkey && showPasskey(passkey) };
    return renewed(desk, { token, nowMs }, more, 201);
  },
});

/**
 * Removes a passkey, and the recovery codes if no other factor is left. Throws `404`, and `409` for the last way to
 * sign in.
 */
export const removePasskey = command(
  "removePasskey",
  (tx, call, { passkeyId, ways, tokenHash, ...asking }: Renewing & { passkeyId: string; ways: Ways }): void => {
    const account = requireSession(tx, asking);
    requireFactor(tx, account, asking.sessionId);
    const passkey = findPasskey(tx, { id: passkeyId });
    if (passkey?.accountId !== account.id) throw problem("not-found", "You have no passkey with this id.");
    deletePasskey(tx, { id: passkeyId });
    requireOtherWay(tx, account, ways);
    forgetNoFactor(tx, account);
    const data = { id: passkeyId, ...renew(tx, asking, { tokenHash, givesFactor: false }) };
    const removed = { accountId: account.id, event: "passkey-removed", data, sessionId: asking.sessionId } as const;
    reportEvent(tx, provenCall(call, account.id), removed);
  },
);

const remove: PersonsRoute = {
  ...person,
  method: "DELETE",
  path: "/api/v1/auth/passkeys/:id",
  operationId: "removePasskey",
  summary: "Remove a passkey",
  description: "Refused if it is your only way to sign in.",
  status: 200,
  needsConfirmation: true,
  problems: [404, 409],
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { token, asked } = renewing(request);
    const passkeyId = request.params.id ?? "";
    await desk.execute(removePasskey, { ...asked, passkeyId, ways: waysOf(desk) }, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs });
  },
};

/** The routes of passkeys. */
export const passkeyRoutes: readonly AccessRoute[] = [ask, signIn, list, begin, add, remove];
