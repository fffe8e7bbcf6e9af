// The migrations in order, named statically so that they are compiled into the executable. Forward only.
import type { Migration } from "kysely/migration";
import { up as foundation } from "./0001_foundation.ts";
import { up as chain } from "./0002_chain.ts";
import { up as fewerOutboxIndexes } from "./0003_fewer_outbox_indexes.ts";
import { up as chargesAndParcels } from "./0004_charges_and_parcels.ts";
import { up as splitsUnderWay } from "./0005_splits_under_way.ts";
import { up as oneLog } from "./0006_one_log.ts";
import { up as currencyAndIssuer } from "./0007_currency_and_issuer.ts";
import { up as keysThatExpire } from "./0008_keys_that_expire.ts";
import { up as adjustments } from "./0009_adjustments.ts";
import { up as longWrites } from "./0010_long_writes.ts";
import { up as people } from "./0011_people.ts";
import { up as modelling } from "./0012_modelling.ts";
import { up as imports } from "./0013_imports.ts";
import { up as figuresAdjusted } from "./0014_figures_adjusted.ts";
import { up as correctedPrices } from "./0015_corrected_prices.ts";
import { up as corrections } from "./0016_corrections.ts";
import { up as security } from "./0017_security.ts";

/** Every migration by name; the names sort in the order in which they apply. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001_foundation": { up: foundation },
  "0002_chain": { up: chain },
  "0003_fewer_outbox_indexes": { up: fewerOutboxIndexes },
  "0004_charges_and_parcels": { up: chargesAndParcels },
  "0005_splits_under_way": { up: splitsUnderWay },
  "0006_one_log": { up: oneLog },
  "0007_currency_and_issuer": { up: currencyAndIssuer },
  "0008_keys_that_expire": { up: keysThatExpire },
  "0009_adjustments": { up: adjustments },
  "0010_long_writes": { up: longWrites },
  "0011_people": { up: people },
  "0012_modelling": { up: modelling },
  "0013_imports": { up: imports },
  "0014_figures_adjusted": { up: figuresAdjusted },
  "0015_corrected_prices": { up: correctedPrices },
  "0016_corrections": { up: corrections },
  "0017_security": { up: security },
};
