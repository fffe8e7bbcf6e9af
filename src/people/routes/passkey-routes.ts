// Routes of passkeys: signing in with one, and a person's own.
import { type TSchema, Type } from "@sinclair/typebox";
import { body, defaulted, id, nullable, oneOf, text } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { presenter, timestamp } from "../../resources/present.ts";
import { type AccessRoute, anybodysRoute, type Desk, type PersonsRoute, personsRoute } from "../access-route.ts";
import type { Session } from "../principal.ts";
import { canHavePasskeys, SessionShown } from "../shown.ts";
import { provePasskey, refuseUnaccepted } from "../sign-in/passkey-proof.ts";
import {
  ASSERTION,
  ATTESTATION,
  checkAttestation,
  creationOptions,
  requestOptions,
  takeChallenge,
} from "../sign-in/passkeys.ts";
import { hashRecoveryCode, newRecoveryCodes } from "../sign-in/totp.ts";
import { waysOf } from "../sign-in/ways-left.ts";
import { listPasskeys } from "../stores/passkey-store.ts";
import { RecoveryCodes, renewed, renewing } from "./account-routes.ts";
import { newSession, SESSION_ANSWER, signedIn } from "./session-routes.ts";

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
    refuseUnaccepted(await desk.order("signInByPasskey", { ...used, session }, visitor));
    return signedIn(desk, token, nowMs);
  },
});

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
    const { id: passkeyId, hasNewCodes } = await desk.order("addPasskey", data, visitor);
    const passkey = listPasskeys(desk.db, session).find((each) => each.id === passkeyId);
    const more = { recoveryCodes: hasNewCodes ? codes : null, passkey: passkey && showPasskey(passkey) };
    return renewed(desk, { token, nowMs }, more, 201);
  },
});

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
    await desk.order("removePasskey", { ...asked, passkeyId, ways: waysOf(desk) }, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs });
  },
};

/** The routes of passkeys. */
export const passkeyRoutes: readonly AccessRoute[] = [ask, signIn, list, begin, add, remove];
