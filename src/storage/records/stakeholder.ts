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
  displayName: name(100, {
    description: "How lists show the stakeholder.",
  }),
  name: body(
    {
      legalName: name(200, { description: "The full legal name." }),
      firstName: optional(text(200, { description: "Individuals." })),
      lastName: optional(text(200, { description: "Individuals." })),
    },
    { description: "The stakeholder's names." },
  ),
  type: { ...STAKEHOLDER_TYPE, description: "Whether it is a person or an institution." },
  status: defaulted({ ...STAKEHOLDER_STATUS, description: "Whether it is still active for the company." }, "CURRENT"),
  relationships: defaulted(
    listOf(oneOf(RELATIONSHIPS), { description: "What the stakeholder is to the company." }),
    [],
  ),
  email: optional(email({ description: "An email address of the stakeholder." })),
  issuerAssignedId: optional(text(100, { description: "The issuer's own number for the stakeholder." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  sourceDocumentId: optional(refersTo("documents", { description: "The document that proves it." })),
  walletAddress: optional(
    text(42, {
      description: "The wallet for the holder's tokens; EIP-55 checksum enforced when mixed case.",
      ...EXTENSION,
    }),
  ),
};
