// A person's identities at the OpenID Connect provider. Going to the provider adds one (to-provider.ts).

import { Type } from "@sinclair/typebox";
import { id } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { presenter, timestamp } from "../../resources/present.ts";
import type { AccessRoute, PersonsRoute } from "../access-route.ts";
import { command } from "../command.ts";
import { renew, requireSession } from "../session-writes.ts";
import { waysOf } from "../sign-in/ways-left.ts";
import type { Account } from "../stores/account-store.ts";
import { deleteIdentity, findIdentity, listIdentities } from "../stores/identity-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { requireOtherWay, type Ways } from "../ways.ts";
import { type Renewing, renewed, renewing, SESSION_ANSWER } from "./session-answer.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON", status: 200 } as const;

const OwnIdentity = Type.Object({
  id: id({ description: "Identifies the identity." }),
  issuer: Type.String({ description: "The provider.", examples: ["https://accounts.example.com"] }),
  subject: Type.String({ description: "What the provider calls the person.", examples: ["248289761001"] }),
  createdAt: timestamp({ description: "When the identity was linked to the account." }),
});

const showIdentity = presenter(OwnIdentity);

const list: PersonsRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/auth/identities",
  operationId: "listIdentities",
  summary: "List your identities at the provider",
  response: listEnvelope("items", OwnIdentity),
  run: ({ db }, { session }) => ({
    status: 200,
    json: { items: listIdentities(db, session).map(showIdentity), nextCursor: null },
  }),
};

/** Removes an identity. Throws `404`, and `409` for the last way to sign in. */
export const removeIdentity = command(
  "removeIdentity",
  (tx, call, { identityId, ways, tokenHash, ...asking }: Renewing & { identityId: string; ways: Ways }): void => {
    const account: Account = requireSession(tx, asking);
    const identity = findIdentity(tx, { id: identityId });
    if (identity?.accountId !== account.id) throw problem("not-found", "You have no identity with this id.");
    deleteIdentity(tx, { id: identityId });
    requireOtherWay(tx, account, ways);
    const data = { id: identityId, ...renew(tx, asking, { tokenHash, givesFactor: false }) };
    const removed = { accountId: account.id, event: "identity-removed", data, sessionId: asking.sessionId } as const;
    reportEvent(tx, provenCall(call, account.id), removed);
  },
);

const remove: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/identities/:id",
  operationId: "removeIdentity",
  summary: "Remove an identity",
  description: "Refused if it is your only way to sign in.",
  needsConfirmation: true,
  problems: [404, 409],
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { token, asked } = renewing(request);
    const identityId = request.params.id ?? "";
    await desk.execute(removeIdentity, { ...asked, identityId, ways: waysOf(desk) }, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs });
  },
};

/** The routes of a person's identities. */
export const identityRoutes: readonly AccessRoute[] = [list, remove];
