// Where pages are in the sample company: the addresses of routes.ts with ids of records that are there. A page of one record
// has a line here.
import { PAGES, type PageName } from "../../src/web/routes.ts";
import type { SampleCompany } from "./sample.ts";

/** The id that stands for `:id`, and other parameters, of each page that has one besides the organization's. */
const RECORDS: { readonly [N in PageName]?: (company: SampleCompany) => Readonly<Record<string, string>> } = {
  record: () => ({ operation: "issue-shares" }),
  newRecord: () => ({ record: "share-class" }),
  editRecord: ({ classes }) => ({ record: "share-class", id: classes.common }),
  shareClass: ({ classes }) => ({ id: classes.common }),
  equityPlan: ({ plan }) => ({ id: plan }),
  registers: () => ({ register: "stock-legends" }),
  entry: ({ entry }) => ({ id: entry }),
  security: ({ grant }) => ({ id: grant }),
  stakeholder: ({ holders }) => ({ id: holders.george ?? "" }),
  approval: ({ approval }) => ({ id: approval }),
  corporateAction: ({ corporateAction }) => ({ id: corporateAction }),
  certificate: ({ shares }) => ({ id: shares }),
};

/** The address of a page in the sample company. Throws where a parameter has no line above. */
export function addressIn(name: PageName, orgId: string, company: SampleCompany): string {
  const given: Readonly<Record<string, string>> = { orgId, ...RECORDS[name]?.(company) };
  return PAGES[name].path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = given[parameter];
    if (value === undefined) throw new Error(`test/kit/addresses.ts has no ${parameter} for the page ${name}`);
    return value;
  });
}
