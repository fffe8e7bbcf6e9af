// issue-convertible: money now for stock later (a SAFE, a note).
import { type Static, Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, date, decimal, id, integer, oneOf, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import type { Finding } from "../../kernel/problem.ts";
import {
  CONVERTIBLE_TYPES,
  ConvertibleTermsBody,
  DAY_COUNTS,
  type GivenTerms,
} from "../../storage/records/convertible-terms.ts";
import { classesNamed, formOf, saysSame, type TermsForm, termsFindings } from "../../storage/records/terms-form.ts";
import { showTerms } from "../../storage/records/terms-shown.ts";
import { ledgerOperation } from "../operation.ts";
import { asksAcceptance, asksColumn, describeSecurity, recording, withoutNulls } from "./parts.ts";

const fields = body({
  stakeholderId: id({ description: "The investor." }),
  quantity: positiveDecimal({ description: "The principal." }),
  certificateId: text(50, {
    description: "The certificate number, unique in the organization.",
    "x-name": true,
  }),
  convertibleType: Type.Optional(
    oneOf(CONVERTIBLE_TYPES, { description: "Required without `convertibleTerms`, which say it." }),
  ),
  convertibleTerms: optional(ConvertibleTermsBody),
  valuationCap: optional(
    decimal({ description: "The company's value above which the conversion price does not rise." }),
  ),
  discountPercent: optional(decimal({ description: 'For instance `"20"`.' })),
  interestRate: optional(decimal({ description: "Percent a year." })),
  dayCount: optional(oneOf(DAY_COUNTS, { description: "How interest counts days." })),
  maturityDate: optional(date({ description: "When it falls due." })),
  seniority: optional(integer(1, { description: "1 is most senior." })),
  asksAcceptance,
  ...recording,
});

/** The short form's members, beside `convertibleTerms` or instead of them. */
const FLAT = [
  "convertibleType",
  "valuationCap",
  "discountPercent",
  "interestRate",
  "dayCount",
  "maturityDate",
  "seniority",
] as const;
type Given = Pick<Static<typeof fields>, (typeof FLAT)[number] | "convertibleTerms" | "effectiveDate">;

/** The terms: as given, or from the flat members; null if neither gives a type. */
function givenTerms(given: Given): GivenTerms | null {
  if (given.convertibleTerms) return given.convertibleTerms;
  const { convertibleType } = given;
  if (convertibleType === undefined) return null;
  const members = FLAT.map((name) => [name, given[name]]).filter(([, value]) => value !== undefined && value !== null);
  return { ...Object.fromEntries(members), convertibleType };
}

function findingsOf(given: Given): readonly Finding[] {
  const terms = givenTerms(given);
  if (terms === null) return [["#/convertibleType", "is required without convertibleTerms"]];
  if (!given.convertibleTerms) return termsFindings(terms, "#");
  const findings = termsFindings(terms, "#/convertibleTerms");
  if (findings.length > 0) return findings;
  const shown = showTerms(formOf(terms, { securityId: "", grantDate: given.effectiveDate }));
  return FLAT.flatMap((name): Finding[] => {
    const isSame = given[name] === undefined || given[name] === null || saysSame(given[name], shown[name]);
    return isSame ? [] : [[`#/${name}`, "is not what convertibleTerms say"]];
  });
}

const IssueConvertible = withRules(fields, {
  of: [...FLAT, "convertibleTerms", "effectiveDate"],
  findings: findingsOf,
});

/** `POST /api/v1/transactions/issue-convertible`. */
export const issueConvertible = ledgerOperation({
  route: "issue-convertible",
  summary: "Issue a convertible",
  description:
    "Makes an ACTIVE convertible security whose quantity is the principal, and appends a CONVERTIBLE_ISSUANCE. " +
    "Its terms come back as `convertibleTerms`.",
  status: 201,
  answers: ["securityId"],
  isExtension: true,
  isDatedByTomorrow: true,
  body: IssueConvertible,
  rowsMayWait: true,
  example: {
    stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "250000",
    certificateId: "SAFE-1",
    convertibleType: "SAFE",
    valuationCap: "10000000",
    discountPercent: "20",
    effectiveDate: "2026-01-15",
  },
  needs: (command) => ({
    stakeholders: [command.stakeholderId],
    classes: classesNamed(command.convertibleTerms),
    certificateId: command.certificateId,
  }),
  decide(_facts, command, context) {
    const { effectiveDate, certificateId, boardApprovalDate = null } = command;
    const securityId = context.newSecurityId;
    const terms = givenTerms(command);
    if (terms === null) throw new Error("a convertible without terms passed its rules");
    const form = formOf(terms, { securityId, grantDate: effectiveDate });
    return {
      entries: [
        {
          type: "CONVERTIBLE_ISSUANCE",
          securityId,
          stakeholderId: command.stakeholderId,
          quantity: command.quantity,
          effectiveDate,
          metadata: withoutNulls({
            certificateId,
            ...flatMembers(form),
            boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSecurity({
          asksAcceptance: asksColumn(command.asksAcceptance, context.asksAcceptance),
          id: securityId,
          type: "CONVERTIBLE",
          currency: context.currency,
          certificateId,
          grantDate: effectiveDate,
          vestingStartDate: effectiveDate,
          boardApprovalDate,
          convertibleTerms: JSON.stringify(form),
        }),
      ],
      answer: { securityId },
      locatedSecurityId: securityId,
    };
  },
});

/** The terms in the entry: their figures for a financing. */
function flatMembers(form: TermsForm): Readonly<Record<string, unknown>> {
  const shown = showTerms(form);
  return Object.fromEntries(FLAT.map((name) => [name, shown[name]]));
}
