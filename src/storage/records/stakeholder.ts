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
import type { Register } from "./register.ts";

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

/** How stakeholders are listed, asked for and filed. */
export const STAKEHOLDER_REGISTER = {
  title: "Stakeholders",
  none: "Nobody is in the register yet.",
  list: {
    name: "Name",
    email: "E-mail",
    relationships: "Relationships",
    outstanding: "Outstanding",
    diluted: "Fully diluted",
    share: "Share",
    status: "Status",
  },
  filters: { q: "Name or e-mail", type: "Type", status: "Status", relationship: "Relationship" },
  form: {
    basics: {
      displayName: { label: "Name", hint: "As shown in lists." },
      type: { label: "Kind" },
      "name.legalName": { label: "Legal name", isBeside: true },
      "name.firstName": { label: "First name" },
      "name.lastName": { label: "Last name", isBeside: true },
      relationships: { label: "Relationships" },
      status: { label: "Status", isForChanges: true },
    },
    contact: {
      email: { label: "E-mail" },
      issuerAssignedId: { label: "Your reference number", isBeside: true },
      walletAddress: {
        label: "Wallet address",
        hint: "0x and 40 digits. The tokens move there, and captable cannot recover them.",
        isForChanges: true,
      },
      comments: { label: "Note" },
    },
  },
  sheet: {
    holder: { header: "Holder", member: "displayName" },
    legalName: { header: "Legal name", member: "name.legalName" },
    type: { header: "Type" },
    status: { header: "Status" },
    relationships: { header: "Relationships" },
    email: { header: "Email" },
    number: { header: "Holder number", member: "issuerAssignedId" },
    verification: { header: "Verification", member: "verificationStatus" },
    firstName: { header: "First name", member: "name.firstName" },
    lastName: { header: "Last name", member: "name.lastName" },
    comments: { header: "Comments" },
    id: { header: "Id" },
  },
} as const satisfies Register;
