// One-time codes of an app as a second factor, and recovery codes.

import { Type } from "@sinclair/typebox";
import { body, nullable } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import type { NextToken } from "../../storage/database/log/account-events.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { type AccessRoute, type PersonsRoute, personsRoute } from "../access-route.ts";
import type { AccountCall } from "../call.ts";
import { command } from "../command.ts";
import { forgetNoFactor, hasFactor, requireFactor } from "../factors.ts";
import { renew, requireSession } from "../session-writes.ts";
import { SessionShown } from "../shown.ts";
import { hashRecoveryCode, matchingStep, newRecoveryCodes, newTotpSecret, totpUri } from "../sign-in/totp.ts";
import { type Account, countRecoveryCodes, deleteRecoveryCodes, setTotp } from "../stores/account-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { type Renewing, renewed, renewing, SESSION_ANSWER } from "./session-answer.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON", status: 200 } as const;

/** Recovery codes, if new ones were made. */
export const RecoveryCodes = nullable(
  Type.Array(Type.String({ examples: ["7Q2M…"] }), {
    description: "Shown this once: each stands in for a code of the app, once.",
  }),
);

const RENEWED = Type.Object({ data: Type.Object({ ...SessionShown.properties, recoveryCodes: RecoveryCodes }) });

const enrol: PersonsRoute = {
  ...common,
  method: "POST",
  path: "/api/v1/auth/totp",
  operationId: "beginTotp",
  summary: "Begin to set up one-time codes",
  description: "Shows a secret for an app, as text and for a QR code. It counts once `/auth/totp/verify` got a code.",
  status: 200,
  needsConfirmation: true,
  response: Type.Object({
    data: Type.Object({
      secret: Type.String({ description: "Base32, to be typed in.", examples: ["JBSWY3DPEHPK3PXP"] }),
      uri: Type.String({ description: "To be shown as a QR code.", examples: ["otpauth://totp/captable:ada…"] }),
    }),
  }),
  run(desk, { session, nowMs }) {
    const secret = newTotpSecret();
    desk.enrolments.put(session.id, secret, nowMs);
    return { status: 200, json: { data: { secret, uri: totpUri(secret, session.email) } } };
  },
};

/** A sealed secret whose code was right, and recovery codes if the account has none yet. */
export interface NewTotp extends Renewing {
  readonly sealed: string;
  readonly step: number;
  readonly codeHashes: readonly string[];
}

/** Sets up one-time codes. */
export const addTotp = command(
  "addTotp",
  (tx, call, { sealed, step, codeHashes, tokenHash, ...asking }: NewTotp): void => {
    const account = requireSession(tx, asking);
    requireFactor(tx, account, asking.sessionId);
    const { id, salt } = account;
    const own = provenCall(call, id);
    setTotp(tx, { id, totpSecret: sealed, totpLastStep: step });
    keepRecoveryCodes(tx, own, account, { codeHashes });
    const totp = commitTo(salt, sealed);
    const data = { totp, ...renew(tx, asking, { tokenHash, givesFactor: true, proof: { totp } }) };
    reportEvent(tx, own, { accountId: id, event: "totp-added", data, sessionId: asking.sessionId });
  },
);

const verify = personsRoute({
  ...common,
  method: "POST",
  path: "/api/v1/auth/totp/verify",
  operationId: "verifyTotp",
  summary: "Set up one-time codes by the first of them",
  status: 200,
  needsConfirmation: true,
  problems: [409],
  body: body({ code: Type.String({ maxLength: 16, description: "The six digits that the app shows." }) }),
  bodyExample: { code: "123456" },
  response: RENEWED,
  async run(desk, request) {
    const { session, body: given, visitor, nowMs } = request;
    const { accountId } = session;
    const secret = desk.enrolments.find(session.id, nowMs);
    if (secret === null) throw problem("invalid-state", "There is no pending secret. Begin with `POST /auth/totp`.");
    const giveBack = desk.failures.attemptCode(accountId, nowMs);
    const step = matchingStep(secret, given.code.replace(/\s/g, ""), nowMs, null);
    if (step === null) throw problem("sign-in-failed", "The code is not the one that the app shows now.");
    giveBack();
    desk.enrolments.take(session.id, nowMs);
    const hasCodes = Number(countRecoveryCodes(desk.db, { accountId })) > 0;
    const codes = hasCodes ? [] : newRecoveryCodes();
    const { token, asked } = renewing(request);
    const sealed = desk.seal.seal(secret, accountId);
    await desk.execute(addTotp, { ...asked, sealed, step, codeHashes: codes.map(hashRecoveryCode) }, visitor);
    return renewed(desk, { token, nowMs }, { recoveryCodes: hasCodes ? null : codes });
  },
});

/** Removes one-time codes, and the recovery codes if no other factor is left. */
export const removeTotp = command("removeTotp", (tx, call, { tokenHash, ...asking }: Renewing): void => {
  const account = requireSession(tx, asking);
  if (account.totpSecret === null) throw problem("not-found", "The account has no one-time codes.");
  requireFactor(tx, account, asking.sessionId);
  setTotp(tx, { id: account.id, totpSecret: null, totpLastStep: null });
  forgetNoFactor(tx, { ...account, totpSecret: null });
  const data = renew(tx, asking, { tokenHash, givesFactor: false });
  const removed = { accountId: account.id, event: "totp-removed", data, sessionId: asking.sessionId } as const;
  reportEvent(tx, provenCall(call, account.id), removed);
});

const remove: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/totp",
  operationId: "removeTotp",
  summary: "Remove one-time codes",
  status: 200,
  needsConfirmation: true,
  problems: [404],
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { token, asked } = renewing(request);
    await desk.execute(removeTotp, asked, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs });
  },
};

/** Replaces an account's recovery codes. Throws `409` if it has no second factor. */
export const makeRecoveryCodes = command(
  "makeRecoveryCodes",
  (tx, call, { codeHashes, tokenHash, ...asking }: Renewing & { readonly codeHashes: readonly string[] }): void => {
    const account = requireSession(tx, asking);
    if (!hasFactor(tx, account)) {
      throw problem("invalid-state", "Recovery codes replace a lost second factor. Set up a second factor first.");
    }
    requireFactor(tx, account, asking.sessionId);
    const renewed = renew(tx, asking, { tokenHash, givesFactor: false });
    keepRecoveryCodes(tx, provenCall(call, account.id), account, { codeHashes, renewed, sessionId: asking.sessionId });
  },
);

const recovery: PersonsRoute = {
  ...common,
  method: "POST",
  path: "/api/v1/auth/recovery-codes",
  operationId: "makeRecoveryCodes",
  summary: "Make new recovery codes",
  description: "They replace all earlier ones.",
  status: 200,
  needsConfirmation: true,
  problems: [409],
  response: RENEWED,
  async run(desk, request) {
    const codes = newRecoveryCodes();
    const { token, asked } = renewing(request);
    await desk.execute(makeRecoveryCodes, { ...asked, codeHashes: codes.map(hashRecoveryCode) }, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs }, { recoveryCodes: codes });
  },
};

/** New recovery codes, and the session's next token if they come with one. */
interface CodesToKeep {
  readonly codeHashes: readonly string[];
  readonly renewed?: NextToken;
  readonly sessionId?: string;
}

/** Stores new recovery codes in place of earlier ones; an empty list leaves the existing ones. */
export function keepRecoveryCodes(
  tx: Tx,
  call: AccountCall,
  { id: accountId, salt }: Pick<Account, "id" | "salt">,
  { codeHashes, renewed, sessionId }: CodesToKeep,
): void {
  if (codeHashes.length === 0) return;
  deleteRecoveryCodes(tx, { accountId });
  const ids = codeHashes.map(() => call.newId());
  for (const [at, codeHash] of codeHashes.entries()) {
    insertRow(tx, "recovery_codes", { id: ids[at] ?? "", createdAt: call.at, accountId, codeHash });
  }
  const data = { codes: codeHashes.map((codeHash) => commitTo(salt, codeHash)), ids, ...renewed };
  reportEvent(tx, call, { accountId, event: "recovery-codes-made", data, sessionId: sessionId ?? null });
}

/** The routes of one-time codes and recovery codes. */
export const oneTimeCodeRoutes: readonly AccessRoute[] = [enrol, verify, remove, recovery];
