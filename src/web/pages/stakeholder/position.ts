// Position of a stakeholder, as the API answers it.
import type { Schemas } from "../../api/client.ts";

/** Everything that a stakeholder holds today, with the sums. */
export type Position = Schemas["StakeholderPosition"];
