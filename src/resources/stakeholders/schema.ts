// Stakeholders on the wire (API.md, "Stakeholder").
import { Type } from "@sinclair/typebox";
import { isWalletAddress } from "../../chain/address.ts";
import { type MembersRule, withRules } from "../../kernel/check.ts";
import {
  body,
  defaulted,
  EXTENSION,
  email,
  freeText,
  id,
  listOf,
  name,
  nullable,
  oneOf,
  optional,
  patchOf,
  text,
} from "../../kernel/fields.ts";
import { RELATIONSHIPS } from "../../kernel/relationships.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

const type = oneOf(["INDIVIDUAL", "INSTITUTION"]);
const status = oneOf(["CURRENT", "FORMER"]);
const verificationStatus = oneOf(["UNVERIFIED", "VERIFIED"]);

const fields = {
  displayName: name(100, { description: "How lists show the stakeholder." }),
  name: body({
    legalName: name(200),
    firstName: optional(text(200, { description: "Individuals." })),
    lastName: optional(text(200, { description: "Individuals." })),
  }),
  type,
  status: defaulted(status, "CURRENT"),
  relationships: defaulted(listOf(oneOf(RELATIONSHIPS)), []),
  email: optional(email()),
  issuerAssignedId: optional(text(100, { description: "The issuer's own number for the stakeholder." })),
  comments: optional(freeText()),
  sourceDocumentId: optional(id()),
  walletAddress: optional(
    text(42, { description: "Where the holder's tokens go; EIP-55 checksum enforced when mixed case.", ...EXTENSION }),
  ),
};

const WALLET: MembersRule<{ readonly walletAddress?: string | null }> = {
  of: ["walletAddress"],
  findings: ({ walletAddress = null }) =>
    walletAddress === null || isWalletAddress(walletAddress)
      ? []
      : [["#/walletAddress", "must be an EVM address with a correct EIP-55 checksum"]],
};

/** The body of `POST /stakeholders`. */
export const StakeholderCreate = withRules(body(fields), WALLET);
/** The body of `PATCH /stakeholders/{id}`. */
export const StakeholderPatch = withRules(
  patchOf(body({ ...fields, verificationStatus: { ...verificationStatus, ...EXTENSION } })),
  WALLET,
);
/** A stakeholder as answers show it. */
export const Stakeholder = Type.Object({
  ...RECORD_HEAD,
  ...shown(fields),
  custodialAddress: nullable(Type.String({ description: "The address assigned by the service.", ...EXTENSION })),
  verificationStatus,
  ...RECORD_TAIL,
});
/** The filters of `GET /stakeholders`. */
export const StakeholderFilters = body({
  q: Type.Optional(
    freeText(500, {
      description: "Part of the display name or email, in whatever case. `%` and `_` are ordinary characters.",
    }),
  ),
  type: Type.Optional(type),
  status: Type.Optional(status),
});

export const STAKEHOLDER_EXAMPLE = {
  displayName: "Ada Lovelace",
  name: { legalName: "Ada King, Countess of Lovelace", firstName: "Ada", lastName: "Lovelace" },
  type: "INDIVIDUAL",
  relationships: ["FOUNDER"],
  email: "ada@example.com",
};
