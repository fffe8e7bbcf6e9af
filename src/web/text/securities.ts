// Words of the register of securities and of one security's page.

export const SECURITIES = {
  title: "Securities",
  loading: "securities",
  none: "No security has been issued.",
  search: "Certificate or holder",
  class: "Class",
  plan: "Plan",
  classOrPlan: "Class or plan",
  price: "Price or strike",
  token: "Token",
  strike: "Strike",
  granted: "Granted",
  paid: "Paid a share",
} as const;
