// Routes of a share class's token: its state, and the start of its tokenization.
import { Type } from "@sinclair/typebox";
import { id, nullable } from "../../kernel/fields.ts";
import { presenter, timestamp, withCurrency } from "../../resources/present.ts";
import { type Route, writeRoute } from "../../resources/route.ts";
import { ShareClass } from "../../resources/share-classes/schema.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Row } from "../../storage/database/sql.ts";
import { retokenize } from "./retokenize.ts";
import { showToken } from "./token-view.ts";

const shares = (description: string) => Type.String({ description, examples: ["1500"] });

/** A share class's token in answers. */
const ShareClassToken = Type.Object({
  stockClassId: id({ description: "The share class." }),
  address: nullable(Type.String({ description: "The token's address; null until the class is `DEPLOYED`." })),
  chainId: nullable(
    Type.Integer({ description: "The chain that this service uses; null before its first use, or if it is off." }),
  ),
  isLocalDevelopmentChain: Type.Boolean({ description: "Whether it is the chain inside this service." }),
  decimals: Type.Integer({ description: "Places of the token's smallest unit.", examples: [10] }),
  totalSupply: shares("In shares, as last read from the chain."),
  ledgerTotal: shares("All outstanding shares of the class."),
  awaitingApproval: shares("Those of them that wait for an approval before they are minted."),
  pendingOperations: Type.Integer({ description: "Operations that are not yet confirmed on the chain." }),
  failedOperations: Type.Integer({ description: "What `retokenize` would try again." }),
  lastError: nullable(
    Type.String({ description: "Why the last operation on the chain failed; null when it did not." }),
  ),
  lastReconciledAt: nullable(timestamp({ description: "When chain and ledger were last compared." })),
  differences: Type.Array(
    Type.Object({
      address: Type.String({
        description: "The holder's address on the chain, or `total`.",
        examples: ["0x52908400098527886E0F7030069857D2E4169EE7"],
      }),
      expected: shares("By the ledger."),
      found: shares("On chain."),
      since: timestamp({ description: "When the difference was first seen." }),
    }),
    { description: "Differences between chain and ledger, with their start; `total` is the total supply." },
  ),
});

const showClass = presenter(ShareClass);

/** The routes of a share class's token. */
export const tokenRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/v1/share-classes/:id/token",
    operationId: "getShareClassToken",
    tag: "Share classes",
    summary: "Get a share class's token",
    description: "The token's state compared with the ledger. Without a node it is on a local development chain.",
    role: "VIEWER",
    status: 200,
    problems: [404],
    response: ShareClassToken,
    isExtension: true,
    run(db, { orgId, params }) {
      const stockClass = getRecord<Row<"share_classes">>(db, "share_classes", orgId, params.id ?? "");
      return { status: 200, json: showToken(db, stockClass) };
    },
  },
  writeRoute({
    method: "POST",
    path: "/api/v1/share-classes/:id/retokenize",
    operationId: "retokenizeShareClass",
    tag: "Share classes",
    summary: "Start a share class's tokenization again",
    description:
      "For a class whose tokenization `FAILED`, or one that waits `NOT_STARTED` because it was imported or made while the " +
      "chain was off: it becomes `PENDING`. On a `DEPLOYED` class the operations that failed are tried again and the " +
      "status stays. While the chain is off: `409 invalid-state`.",
    role: "EDITOR",
    status: 200,
    problems: [404, 409],
    response: ShareClass,
    run(tx, call, { params }) {
      const read = () => getRecord<Row<"share_classes">>(tx, "share_classes", call.orgId, params.id ?? "");
      retokenize(tx, call, read());
      return { status: 200, json: showClass(withCurrency(tx, read())) };
    },
  }),
];
