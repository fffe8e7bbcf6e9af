// Schemas of the portal's answers: a holder's own holdings, with nothing of other holders, and of the whole company
// only what the organization allows.
import { Type } from "@sinclair/typebox";
import { date, decimal, id, integer, nullable, oneOf, text, total } from "../../kernel/fields.ts";
import { TRANSACTION_TYPES } from "../../ledger/types.ts";
import { shownCurrency, timestamp } from "../../resources/present.ts";
import { SECURITY_TYPES } from "../../resources/securities/schema.ts";
import { Conversion, converted, figure, percents } from "../cap-table/schema.ts";

const amount = (description = "Of what has vested.") =>
  total({ description: `${description} Money, exact to 10 places.`, examples: ["1250.5"] });
const asOf = date({ description: "Today in UTC: entries effective up to and including this day count." });
const quantity = total({ description: "How many shares; of a convertible, the principal." });

const Worth = Type.Object(
  {
    amount: amount(
      "Of what has vested; of options and warrants what exercising them leaves, 0 once they have expired.",
    ),
    unvestedAmount: amount("The same of what has not vested."),
    pricePerShare: decimal({ description: "In today's shares: splits since the valuation are reckoned with." }),
    asOf: date({ description: "The valuation's day." }),
    currency: shownCurrency("ISO 4217, of the valuation's class."),
  },
  {
    description:
      "Before tax, if a share were worth what the latest approved 409A valuation of the class says; where the " +
      "organization shows that, and the strike is known.",
  },
);

const Legend = Type.Object({
  name: Type.String({ description: "The legend's name.", examples: ["Securities Act"] }),
  text: Type.String({ description: "Its words.", examples: ["These shares are not registered."] }),
});

const Holding = Type.Object({
  securityId: id({ description: "The security." }),
  stakeholderId: id({ description: "Which of the person's stakeholders holds it." }),
  type: oneOf(SECURITY_TYPES, { description: "The kind of security." }),
  certificateId: nullable(text(50, { description: "The certificate number, unique in the organization." })),
  stockClassName: nullable(Type.String({ description: "The share class.", examples: ["Common"] })),
  conversion: nullable(Conversion()),
  equityPlanName: nullable(Type.String({ description: "The plan that it is issued under.", examples: ["2026 Plan"] })),
  quantity: { ...quantity, description: "How many shares; of a convertible, the principal." },
  pricePerShare: nullable(decimal({ description: "The price that was paid for one share." })),
  exercisePrice: nullable(decimal({ description: "The strike price for one share." })),
  currency: shownCurrency("ISO 4217, of its prices."),
  optionType: nullable(oneOf(["ISO", "NSO"], { description: "Incentive (`ISO`) or non-qualified (`NSO`)." })),
  grantDate: date({ description: "When it was granted or issued." }),
  vestingStartDate: nullable(date({ description: "The day from which vesting counts." })),
  expirationDate: nullable(date({ description: "The last day on which it can be exercised." })),
  vested: total({ description: "`quantity` less `unvested`." }),
  unvested: total({ description: "What has not vested." }),
  unscheduled: total({ description: "The part of `unvested` that has no date." }),
  vestingStoppedOn: nullable(date({ description: "The day on which vesting stopped, where service has ended." })),
  nextVesting: nullable(
    Type.Object(
      {
        date: date({ description: "The day on which the shares vest." }),
        quantity: total({ description: "How many shares vest." }),
      },
      { description: "The next day on which something vests." },
    ),
  ),
  exercisable: total({ description: "What of an option or a warrant has vested, until it expires." }),
  legends: Type.Array(Legend, {
    description: "The legends that the certificate carries.",
  }),
  entry: nullable(
    Type.Object(
      {
        id: id({ description: "Identifies the entry." }),
        hash: Type.String({
          description: "SHA-256 of this entry's canonical JSON, which includes `previousHash`.",
          pattern: "^[0-9a-f]{64}$",
          examples: ["0".repeat(64)],
        }),
      },
      { description: "The ledger entry by which the holder got it." },
    ),
  ),
  value: nullable(Worth),
});

const Stakeholder = Type.Object({
  id: id({ description: "Identifies the stakeholder." }),
  displayName: Type.String({ description: "How lists show the stakeholder.", examples: ["Ada Lovelace"] }),
  legalName: Type.String({ description: "The full legal name.", examples: ["Ada King, Countess of Lovelace"] }),
});

/** What `GET /portal` answers. */
export const Portal = Type.Object({
  asOf,
  organization: Type.Object(
    {
      id: id({ description: "Identifies the organization." }),
      legalName: Type.String({ description: "The organization's full legal name.", examples: ["Acme, Inc."] }),
      currency: shownCurrency("ISO 4217."),
      portalContact: nullable(Type.String({ description: "Whom a holder asks.", examples: ["legal@example.com"] })),
    },
    { description: "Whose securities these are." },
  ),
  stakeholders: Type.Array(Stakeholder, {
    description: "The stakeholders that the person is.",
  }),
  holdings: Type.Array(Holding, { description: "What they hold today, the oldest first." }),
  totals: Type.Object(
    {
      outstanding: figure(),
      options: figure(),
      warrants: figure(),
      vested: figure("`fullyDiluted` less `unvested`."),
      unvested: figure(),
      fullyDiluted: figure("Stock, options and warrants together, one share for one."),
      ...converted(),
      exercisable: figure("Of options and warrants."),
    },
    { description: "The sums of the holdings, in shares." },
  ),
  ownership: nullable(
    Type.Object(percents(), { description: "The person's part of the whole; null unless the organization shows it." }),
  ),
  value: nullable(
    Type.Array(
      Type.Object({ currency: shownCurrency("ISO 4217."), amount: amount(), unvestedAmount: amount("Of the rest.") }),
      {
        description: "What all of it is worth, a line for each currency; null unless the organization shows it.",
      },
    ),
  ),
});

/** What `GET /portal/securities/{id}/vesting` answers. */
export const OwnVesting = Type.Object({
  asOf,
  quantity: total({ description: "What was granted, without what was cancelled or transferred away." }),
  vested: total({ description: "Up to and including `asOf`; what was exercised counts." }),
  unvested: total({ description: "What has not vested." }),
  unscheduled: total({ description: "The part of `unvested` that has no date." }),
  vestingStoppedOn: nullable(date({ description: "The day on which vesting stopped, where service has ended." })),
  exercised: total({ description: "What was bought by exercise." }),
  events: Type.Array(
    Type.Object({
      date: date({ description: "The day on which the shares vest." }),
      quantity: total({ description: "How many shares vest." }),
    }),
    {
      description: "What vests on each day, past and to come.",
    },
  ),
  waiting: Type.Array(
    Type.Object({
      milestone: nullable(Type.String({ description: "The milestone that they wait for, where it is one." })),
      quantity: total({ description: "How many shares." }),
    }),
    { description: "What has no date." },
  ),
});

/** A ledger entry as its holder sees it. */
export const OwnTransaction = Type.Object({
  id: id({ description: "The ledger entry. A split has a line for each security, all of one id." }),
  date: date({ description: "The day from which it counts." }),
  type: oneOf(TRANSACTION_TYPES, { description: "The kind of entry." }),
  securityId: nullable(id({ description: "The holder's own; null where it is not any more." })),
  certificateId: nullable(text(50, { description: "The certificate number, unique in the organization." })),
  quantity: nullable(total({ description: "How many shares; of a split, by how many the holding changed." })),
  price: nullable(decimal({ description: "For one share, where the entry names a price." })),
  currency: shownCurrency("ISO 4217, of the price."),
  isReceived: Type.Boolean({ description: "True of a transfer that came to the holder." }),
});

/** A document that is shared with the holder. */
export const OwnDocument = Type.Object({
  id: id({ description: "Identifies the document." }),
  title: nullable(Type.String({ description: "A short title." })),
  fileName: nullable(Type.String({ description: "What the file is called.", examples: ["grant.pdf"] })),
  uri: nullable(Type.String({ description: "Where it is found, where that is not here." })),
  size: nullable(integer(0, { description: "The number of stored bytes; null if they are not stored here." })),
  contentType: nullable(Type.String({ description: "As sent with the bytes.", examples: ["application/pdf"] })),
  createdAt: timestamp({ description: "When the document was recorded." }),
});
