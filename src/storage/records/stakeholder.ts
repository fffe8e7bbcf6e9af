// The fields of a stakeholder: what bodies take, answers show and the table holds, each written once.
import {
  body,
  defaulted,
  EXTENSION,
  email,
  freeText,
  listOf,
  name,
  oneOf,
  optional,
  text,
} from "../../kernel/fields.ts";
import { RELATIONSHIPS } from "../../kernel/relationships.ts";
import { refersTo } from "./reference.ts";

/** A person or an institution. */
export const STAKEHOLDER_TYPE = oneOf(["INDIVIDUAL", "INSTITUTION"]);
/** Whether it still has to do with the company. */
export const STAKEHOLDER_STATUS = oneOf(["CURRENT", "FORMER"]);

/** What anybody may say of a stakeholder. */
export const STAKEHOLDER_FIELDS = {
  displayName: name(100, { description: "How lists show the stakeholder." }),
  name: body({
    legalName: name(200),
    firstName: optional(text(200, { description: "Individuals." })),
    lastName: optional(text(200, { description: "Individuals." })),
  }),
  type: STAKEHOLDER_TYPE,
  status: defaulted(STAKEHOLDER_STATUS, "CURRENT"),
  relationships: defaulted(listOf(oneOf(RELATIONSHIPS)), []),
  email: optional(email()),
  issuerAssignedId: optional(text(100, { description: "The issuer's own number for the stakeholder." })),
  comments: optional(freeText()),
  sourceDocumentId: optional(refersTo("documents")),
  walletAddress: optional(
    text(42, { description: "Where the holder's tokens go; EIP-55 checksum enforced when mixed case.", ...EXTENSION }),
  ),
};
