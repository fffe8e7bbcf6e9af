// What the panel shows besides for some actions: what an exercise costs, what has vested.
import { formatDecimal, multiply, parseDecimal } from "../../../kernel/decimal.ts";
import { Quantity } from "../../parts/figures.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { Facts as FactList } from "../../parts/page.tsx";
import { PREVIEW } from "../../text/actions/preview.ts";
import type { ActionSpec, Facts, Values } from "./spec.ts";

/** The extras of an action; nothing where it has none. */
export function Extras({
  spec,
  values,
  facts,
}: {
  readonly spec: ActionSpec;
  readonly values: Values;
  readonly facts: Facts;
}) {
  const cost = spec.operation === "exercise" ? costOf(values) : null;
  const { vesting } = facts;
  const isVesting = vesting !== null && values.securityId !== "" && (vesting.unvested !== "0" || cost !== null);
  return (
    <>
      {(cost !== null || isVesting) && (
        <FactList
          facts={[
            ...(cost === null ? [] : [[PREVIEW.cost, <Quantity key="cost" value={cost} />] as const]),
            ...(isVesting
              ? [
                  [PREVIEW.vested, <Quantity key="vested" value={vesting.vested} />] as const,
                  [PREVIEW.unvested, <Quantity key="unvested" value={vesting.unvested} />] as const,
                ]
              : []),
          ]}
        />
      )}
    </>
  );
}

/** The strike for all that is exercised; null where one of both cannot be read, or no money flows. */
function costOf({ quantity = "", exercisePrice = "", paymentMethod }: Values): string | null {
  const [count, price] = [readDecimal(quantity), readDecimal(exercisePrice)];
  if (count === null || price === null || paymentMethod === "NET_EXERCISE") return null;
  return formatDecimal(multiply(parseDecimal(count), parseDecimal(price)));
}
