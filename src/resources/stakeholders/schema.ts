// Schemas of stakeholders: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { type MembersRule, withRules } from "../../kernel/check.ts";
import { body, EXTENSION, freeText, nullable, patchOf } from "../../kernel/fields.ts";
import { isWalletAddress } from "../../kernel/text/wallet-address.ts";
import { STAKEHOLDER_FIELDS, STAKEHOLDER_STATUS, STAKEHOLDER_TYPE } from "../../storage/records/stakeholder.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, VERIFICATION_STATUS } from "../present.ts";

const WALLET: MembersRule<{ readonly walletAddress?: string | null }> = {
  of: ["walletAddress"],
  findings: ({ walletAddress = null }) =>
    walletAddress === null || isWalletAddress(walletAddress)
      ? []
      : [["#/walletAddress", "must be an EVM address with a correct EIP-55 checksum"]],
};

/** The body of `POST /stakeholders`. */
export const StakeholderCreate = withRules(body(STAKEHOLDER_FIELDS), WALLET);
/** The body of `PATCH /stakeholders/{id}`. */
export const StakeholderPatch = withRules(
  patchOf(
    body({
      ...STAKEHOLDER_FIELDS,
      verificationStatus: {
        ...VERIFICATION_STATUS,
        ...EXTENSION,
        description: "Whether a person checked the record against its source.",
      },
    }),
  ),
  WALLET,
);
/** A stakeholder as answers show it. */
export const Stakeholder = Type.Object({
  ...RECORD_HEAD,
  ...shown(STAKEHOLDER_FIELDS),
  custodialAddress: nullable(Type.String({ description: "The address assigned by the service.", ...EXTENSION })),
  verificationStatus: {
    ...VERIFICATION_STATUS,
    description: "Whether a person checked the record against its source.",
  },
  ...RECORD_TAIL,
});
/** The filters of `GET /stakeholders`. */
export const StakeholderFilters = body({
  q: Type.Optional(
    freeText(500, {
      description: "Part of the display name or email, in whatever case. `%` and `_` are ordinary characters.",
    }),
  ),
  type: Type.Optional(STAKEHOLDER_TYPE),
  status: Type.Optional(STAKEHOLDER_STATUS),
});

export const STAKEHOLDER_EXAMPLE = {
  displayName: "Ada Lovelace",
  name: { legalName: "Ada King, Countess of Lovelace", firstName: "Ada", lastName: "Lovelace" },
  type: "INDIVIDUAL",
  relationships: ["FOUNDER"],
  email: "ada@example.com",
};
