// OCF objects for tests of imports: a holder or two, a class or two, a plan, and transactions on what they hold.

/** An OCF object. */
export type Fields = Readonly<Record<string, unknown>>;

function holder(id: string, legal_name: string): Fields {
  return { object_type: "STAKEHOLDER", id, name: { legal_name }, stakeholder_type: "INDIVIDUAL" };
}

function stockClass(id: string, class_type: string, seniority: string): Fields {
  return {
    object_type: "STOCK_CLASS",
    id,
    name: id,
    class_type,
    default_id_prefix: `${id.slice(0, 2).toUpperCase()}-`,
    initial_shares_authorized: "1000000",
    votes_per_share: "1",
    seniority,
  };
}

/** Two people, two classes, and a plan of options on the first. */
export const RECORDS: readonly Fields[] = [
  holder("ada", "Ada Lovelace"),
  holder("bob", "Bob Babbage"),
  stockClass("common", "COMMON", "1"),
  stockClass("preferred", "PREFERRED", "2"),
  {
    object_type: "STOCK_PLAN",
    id: "plan",
    plan_name: "Options 2024",
    initial_shares_reserved: "100000",
    stock_class_ids: ["common"],
    default_cancellation_behavior: "RETURN_TO_POOL",
  },
];

const price = { amount: "1", currency: "USD" };

/** A transaction: its id is the kind's and what it acts on, so that it is the same in each package of a test. */
export function tx(kind: string, date: string, members: Fields): Fields {
  const on = members.security_id ?? members.stock_class_id ?? members.stock_plan_id ?? "";
  return { object_type: `TX_${kind}`, id: `${kind.toLowerCase()} ${on} ${date}`, date, ...members };
}

function issuance(kind: string, securityId: string, date: string, members: Fields): Fields {
  return tx(`${kind}_ISSUANCE`, date, {
    security_id: securityId,
    custom_id: securityId,
    stakeholder_id: "ada",
    security_law_exemptions: [],
    ...members,
  });
}

/** Stock of the class `common`, Ada's. */
export function stock(securityId: string, date: string, quantity: string, members: Fields = {}): Fields {
  const rest = { stock_class_id: "common", share_price: price, stock_legend_ids: [], quantity };
  return issuance("STOCK", securityId, date, { ...rest, ...members });
}

/** An option on `common` under the plan, Ada's. */
export function grant(securityId: string, date: string, quantity: string, members: Fields = {}): Fields {
  return issuance("EQUITY_COMPENSATION", securityId, date, {
    compensation_type: "OPTION_NSO",
    stock_plan_id: "plan",
    stock_class_id: "common",
    exercise_price: price,
    expiration_date: null,
    termination_exercise_windows: [],
    quantity,
    ...members,
  });
}

/** A warrant on `common`, Ada's. */
export function warrant(securityId: string, date: string, quantity: string, members: Fields = {}): Fields {
  const conversion_right = {
    type: "WARRANT_CONVERSION_RIGHT",
    conversion_mechanism: { type: "CUSTOM_CONVERSION", custom_conversion_description: "One for one" },
    converts_to_stock_class_id: "common",
  };
  const exercise_triggers = [{ type: "ELECTIVE_AT_WILL", trigger_id: `${securityId} trigger`, conversion_right }];
  return issuance("WARRANT", securityId, date, { purchase_price: price, exercise_triggers, quantity, ...members });
}

/** A note, Ada's, of so much. */
export function note(securityId: string, date: string, amount: string, members: Fields = {}): Fields {
  const conversion_right = {
    type: "CONVERTIBLE_CONVERSION_RIGHT",
    conversion_mechanism: { type: "CUSTOM_CONVERSION", custom_conversion_description: "As agreed" },
  };
  return issuance("CONVERTIBLE", securityId, date, {
    investment_amount: { amount, currency: "USD" },
    convertible_type: "SAFE",
    conversion_triggers: [{ type: "ELECTIVE_AT_WILL", trigger_id: `${securityId} trigger`, conversion_right }],
    seniority: 1,
    ...members,
  });
}
