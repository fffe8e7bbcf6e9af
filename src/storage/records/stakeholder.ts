// The fields of a stakeholder: the members of bodies and answers and the table's columns, each defined once.
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
/** Whether it is still active for the company. */
export const STAKEHOLDER_STATUS = oneOf(["CURRENT", "FORMER"]);

/** The body of a stakeholder. */
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
    text(42, {
      description: "The wallet for the holder's tokens; EIP-55 checksum enforced when mixed case.",
      ...EXTENSION,
    }),
  ),
};
