// The instance, for its operators: facts, a checkpoint of the log of accounts, and help for any account.

import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { body, email, id, nullable, oneOf, optional } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import { VERSION } from "../../kernel/version.ts";
import { timestamp } from "../../resources/present.ts";
import { LAST_BACKUP } from "../../storage/data-dir/last-backup.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { type AccessRoute, type PersonsRoute, personsRoute } from "../access-route.ts";
import { type AccountCall, personCall } from "../call.ts";
import { command } from "../command.ts";
import { acceptEmail } from "../emails.ts";
import { queueLinkMail, requireMail } from "../mail-queue.ts";
import { mustWait } from "../makers.ts";
import { IS_MAILED } from "../member-shape.ts";
import { insertResetLink, type MadeReset, requireOperatorsFactor } from "../membership.ts";
import { type Asking, requireSession } from "../session-writes.ts";
import { type Account, findAccountByEmail } from "../stores/account-store.ts";
import { provenCall } from "../stores/log-store.ts";
import { queueMail } from "../stores/mail-store.ts";
import { listOpenMemberships, listSigningIn } from "../stores/member-store.ts";
import { countDifferences, countOrganizations, listLargest } from "../stores/organization-store.ts";

const common = { tag: "Account", isExtension: true, who: "OPERATOR" } as const;

const LARGEST_MAX = 20;

const bytes = (description: string) => Type.Integer({ minimum: 0, description });

const instance: PersonsRoute = {
  ...common,
  who: "OPERATOR",
  method: "GET",
  path: "/api/v1/instance",
  operationId: "getInstance",
  summary: "Get facts of the instance",
  description: "For operators of the instance. It shows no organization's data.",
  status: 200,
  response: Type.Object({
    data: Type.Object({
      version: Type.String({ description: "The program's.", examples: ["0.1.0"] }),
      environment: oneOf(["production", "test"], { description: "Which keys it makes." }),
      dataDirectory: Type.Object(
        {
          bytesUsed: bytes("By the files in the data directory."),
          bytesFree: bytes("On its disk."),
        },
        { description: "How much room there is." },
      ),
      chain: nullable(
        Type.Object({
          id: nullable(Type.Integer({ description: "The chain's number; null while none was used." })),
          isEmbedded: Type.Boolean({ description: "Whether it is the service's own development chain." }),
          differences: Type.Integer({ description: "Balances that differ between chain and ledger." }),
        }),
      ),
      backups: Type.Object(
        {
          isConfigured: Type.Boolean({ description: "Whether the server takes backups by itself." }),
          everyHours: nullable(Type.Integer({ description: "From one to the next." })),
          lastAt: nullable(
            timestamp({ description: "When the last backup was made, by the server or the command line." }),
          ),
          lastBytes: nullable(Type.Integer({ description: "The size of the newest in the folder." })),
        },
        { description: "What the server does by itself." },
      ),
      organizations: Type.Integer({ description: "How many there are." }),
      storage: Type.Object(
        {
          bytesAllowed: nullable(bytes("That each organization may store; null: no limit.")),
          largest: Type.Array(
            Type.Object({
              id: id({ description: "Identifies the organization." }),
              bytesStored: bytes("Documents, originals and previews."),
            }),
            {
              description: "The organizations that store most, at most 20 of them.",
            },
          ),
        },
        { description: "What organizations store." },
      ),
    }),
  }),
  run: ({ db, instance: { chain, environment, backupDir, backupEveryHours, organizationBytes }, dataDir }) => {
    const lastMs = findSetting(db, LAST_BACKUP);
    const backups = {
      isConfigured: backupDir !== null,
      everyHours: backupDir === null ? null : backupEveryHours,
      lastAt: lastMs === null ? null : toTimestamp(Number(lastMs)),
      lastBytes: backupDir === null ? null : newestBytes(backupDir),
    };
    const data = {
      ...{ version: VERSION, environment, backups, organizations: Number(countOrganizations(db)) },
      dataDirectory: spaceOf(dataDir),
      storage: {
        bytesAllowed: organizationBytes === 0 ? null : organizationBytes,
        largest: listLargest
          .all(db, { most: LARGEST_MAX })
          .map(({ id: orgId, storedBytes }) => ({ id: orgId, bytesStored: storedBytes })),
      },
      chain: chain && {
        ...chainOf(findSetting(db, "chainId"), chain.isEmbedded),
        differences: Number(countDifferences(db)),
      },
    };
    return { status: 200, json: { data } };
  },
};

function chainOf(chainId: string | null, isEmbedded: boolean) {
  return { id: chainId === null ? null : Number(chainId), isEmbedded };
}

function spaceOf(folder: string): { bytesUsed: number; bytesFree: number } {
  const { bavail, bsize } = statfsSync(folder);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // A file may be deleted between the listing and the look at it.
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size);
  return { bytesUsed: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0), bytesFree: bavail * bsize };
}

/** The size of the newest backup in a folder; null if there is no backup, or no folder. */
function newestBytes(folder: string): number | null {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("."),
  );
  const found = names.map(({ name }) => statSync(join(folder, name), { throwIfNoEntry: false }));
  const [newest] = found.filter((each) => each !== undefined).sort((a, b) => b.mtimeMs - a.mtimeMs);
  return newest?.size ?? null;
}

/** An account whose password an operator resets, by its address; whether the link is sent there, too. */
interface ResetAsked {
  readonly email: string;
  readonly isMailed: boolean;
}

/** Tells the account, and the ADMINs of its organizations, that an operator made a reset link. */
function queueResetNotice(tx: Tx, call: AccountCall, { id, email: to }: Account, about: string): void {
  queueMail(tx, call, { kind: "operator-reset", to, about, accountId: id });
  for (const { orgId } of listOpenMemberships(tx, { accountId: id })) {
    for (const { role, accountId, email } of listSigningIn(tx, { orgId })) {
      if (role !== "ADMIN" || accountId === id) continue;
      queueMail(tx, call, { kind: "operator-reset", to: email, about, orgId, accountId });
    }
  }
}

/**
 * Makes a link that resets an account's password. If the operator is in none of the account's organizations, these have
 * a day to refuse it. Throws `403`, also in a session without a second factor, and `404`.
 */
export const resetByOperator = command(
  "resetByOperator",
  (tx, call, { email, isMailed, ...asking }: Asking & ResetAsked): Omit<MadeReset, "id"> => {
    if (isMailed) requireMail(tx);
    const operator = requireSession(tx, asking);
    const { sessionId } = asking;
    if (operator.isOperator === 0) throw problem("forbidden", "Only an operator resets accounts.");
    const account = findAccountByEmail(tx, { emailFolded: foldEmail(email) });
    if (!account) throw problem("not-found", "No account has this e-mail address.");
    requireOperatorsFactor(tx, sessionId);
    const waits = mustWait(tx, account.id, operator.id);
    const own = provenCall(call, operator.id);
    const maker = { actor: "person", accountId: operator.id, apiKeyId: null, name: operator.name } as const;
    const made = insertResetLink(tx, own, account, { maker, orgId: null, sessionId, waits });
    for (const { orgId } of listOpenMemberships(tx, { accountId: account.id })) {
      tellOf(tx, personCall(call, orgId, { ...operator, sessionId }), "account", account.id, {
        resetLinkMadeAt: call.at,
        validFrom: made.validFrom,
      });
    }
    const { id: about, token, validFrom, expiresAt } = made;
    if (isMailed) {
      const { id: accountId, email: to } = account;
      queueLinkMail(tx, call, { kind: "reset-link", to, about, accountId, token, expiresAt });
    }
    queueResetNotice(tx, call, account, about);
    return { token, validFrom, expiresAt };
  },
);

const resetAccount = personsRoute({
  ...common,
  who: "OPERATOR",
  method: "POST",
  path: "/api/v1/instance/reset-link",
  operationId: "makeAccountResetLink",
  summary: "Make a link that sets an account's password anew",
  description:
    "For operators, in a session with a second factor; the person may be any organization's member. It works once, for 24 hours. Where " +
    "the person is a member of organizations, and of none together with the operator, it works from `validFrom` on, after " +
    "24 hours in which each of these may refuse it.",
  status: 200,
  problems: [404],
  needsConfirmation: true,
  body: body({ email: email({ description: "Of the account." }), isMailed: IS_MAILED }),
  bodyExample: { email: "grace@example.com" },
  response: Type.Object({
    url: Type.String({ description: "Shown this once.", examples: ["https://cap.example.com/reset#…"] }),
    validFrom: nullable(timestamp({ description: "From when on it works; null: at once." })),
    expiresAt: timestamp({ description: "Until when the link works." }),
  }),
  async run(desk, { session, body: given, visitor }) {
    const asked = { sessionId: session.id, accountId: session.accountId, ...given, isMailed: given.isMailed === true };
    const { token, validFrom, expiresAt } = await desk.execute(resetByOperator, asked, visitor);
    return { status: 200, json: { url: `${desk.publicUrl()}/reset#${token}`, validFrom, expiresAt } };
  },
});

/** Gives an account its pending e-mail address. Throws `403`, `404`, and as {@link acceptEmail}. */
export const acceptEmailByOperator = command(
  "acceptEmailByOperator",
  (
    tx,
    call,
    { email, expected, ...asking }: Asking & { readonly email: string; readonly expected: string | null },
  ): void => {
    const operator = requireSession(tx, asking);
    const { sessionId } = asking;
    if (operator.isOperator === 0)
      throw problem("forbidden", "Only an operator accepts e-mail addresses of any account.");
    const account = findAccountByEmail(tx, { emailFolded: foldEmail(email) });
    if (!account) throw problem("not-found", "No account has this e-mail address.");
    const orgIds = listOpenMemberships(tx, { accountId: account.id }).map(({ orgId }) => orgId);
    const callIn = (orgId: string) => personCall(call, orgId, { ...operator, sessionId });
    acceptEmail(tx, provenCall(call, operator.id), { account, expected }, { orgIds, sessionId, callIn });
  },
);

const acceptEmailRoute = personsRoute({
  ...common,
  who: "OPERATOR",
  method: "POST",
  path: "/api/v1/instance/accept-email",
  operationId: "acceptAccountEmail",
  summary: "Accept the e-mail address that a person asked for",
  description: "For operators, of their own account too. The account has it from now on: the person signs in by it.",
  status: 204,
  problems: [404, 409],
  needsConfirmation: true,
  body: body({
    email: email({ description: "The one that the account has." }),
    pendingEmail: optional(email({ description: "The one that you have looked at; another is refused." })),
  }),
  bodyExample: { email: "grace@example.com" },
  async run(desk, { session, body: { email: address, pendingEmail = null }, visitor }) {
    const asked = { sessionId: session.id, accountId: session.accountId, email: address, expected: pendingEmail };
    await desk.execute(acceptEmailByOperator, asked, visitor);
    desk.sessions.forget();
    return { status: 204 };
  },
});

const checkpoint: PersonsRoute = {
  ...common,
  who: "OPERATOR",
  method: "GET",
  path: "/api/v1/instance/checkpoint",
  operationId: "getInstanceCheckpoint",
  summary: "Get a checkpoint of the instance",
  description:
    "A signed note (C2SP, Ed25519) of where the log of accounts stands. Kept elsewhere, it shows later whether any " +
    "event was removed or written anew: `captable verify --against FILE`.",
  status: 200,
  fileType: "text/plain",
  run: (desk, { nowMs }) => ({ status: 200, plain: desk.checkpoint(nowMs) }),
};

/** The routes of the instance. */
export const instanceRoutes: readonly AccessRoute[] = [instance, resetAccount, acceptEmailRoute, checkpoint];
