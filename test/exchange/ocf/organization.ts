// An organization of a running server for tests of imports: packages come in through the server's own writer, edits over
// its API, and its export must add up to what it has.

import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import { type ImportTarget, importPackage } from "../../../src/exchange/ocf/import/run.ts";
import type { OcfPackage } from "../../../src/exchange/ocf/package.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import type { TestServer } from "../../kit/service.ts";
import { expectAddsUp, shownTotals } from "./adds-up.ts";
import type { Shape } from "./export/company.ts";
import { packageWith } from "./import-support.ts";
import { type Fields, RECORDS } from "./objects.ts";

/** The day of what is done here, unless a test says another. */
export const HERE = "2024-06-01";

/** An organization to import into and to edit. */
export class Organization {
  readonly #server: TestServer;
  readonly orgId: string;

  private constructor(server: TestServer, orgId: string) {
    this.#server = server;
    this.orgId = orgId;
  }

  static async make(server: TestServer): Promise<Organization> {
    return new Organization(server, await server.newOrganization("Acme"));
  }

  /** Imports the objects beside the usual records. */
  import(...objects: readonly Fields[]): Promise<ImportReport> {
    return this.importBy({ writer: this.#server.app.writer }, ...objects);
  }

  /** Imports through a writer of the test's. */
  importBy({ writer }: Pick<ImportTarget, "writer">, ...objects: readonly Fields[]): Promise<ImportReport> {
    return this.importPackage(packageWith([...RECORDS, ...objects]), writer);
  }

  importPackage(ocf: OcfPackage, writer = this.#server.app.writer): Promise<ImportReport> {
    return importPackage({ writer, call: () => commandLineCall(systemRuntime, this.orgId) }, ocf);
  }

  /** Calls the API; throws what it refuses. */
  async call(method: string, path: string, body?: object): Promise<Shape> {
    const answer = await this.#server.api(method, path, body, { orgId: this.orgId });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json.data ?? answer.json;
  }

  /** A typed operation, on the usual day. */
  act(route: string, body: object): Promise<Shape> {
    return this.call("POST", `/transactions/${route}`, { effectiveDate: HERE, ...body });
  }

  cancel(securityId: string, quantity: string): Promise<Shape> {
    return this.act("cancel", { securityId, quantity, cancellationReason: "FORFEITURE" });
  }

  /** From Ada to Bob; answers the new security's id. */
  async transfer(securityId: string, quantity: string): Promise<string> {
    const holders = { fromStakeholderId: "ada", toStakeholderId: "bob" };
    return (await this.act("transfer", { securityId, quantity, ...holders })).newSecurityId;
  }

  split(numerator: number, denominator: number, body: object = {}): Promise<Shape> {
    return this.act("split", { stockClassId: "common", numerator, denominator, ...body });
  }

  /** The newest entry of the ledger. */
  async lastEntry(): Promise<string> {
    const { data } = (await this.#server.api("GET", "/transactions?limit=1", undefined, { orgId: this.orgId })).json;
    return data[0].id;
  }

  addsUp = () => expectAddsUp(this.#server, this.orgId);
  totals = () => shownTotals(this.#server, this.orgId);
}
