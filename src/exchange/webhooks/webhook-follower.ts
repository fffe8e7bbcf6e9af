// Webhooks as a follower: begun while there is an enabled endpoint, or something to send out of turn.
import { hasPendingDelivery } from "../../resources/webhook-endpoints/delivery-store.ts";
import { hasEnabledEndpoint } from "../../resources/webhook-endpoints/store.ts";
import type { Follower } from "../../storage/follow/follower.ts";
import { instanceEventTask } from "../../storage/follow/instance-events.ts";
import { hasInstanceEndpoint } from "../../storage/follow/instance-store.ts";
import {
  disableInstanceTask,
  disableTask,
  instanceProgressTask,
  progressTask,
  pruneTask,
  settleTask,
} from "./delivery-tasks.ts";

/** Sends what happens to endpoints. */
export const webhooks: Follower = {
  name: "webhooks",
  isWanted: (db) => hasEnabledEndpoint(db) || hasPendingDelivery(db) || hasInstanceEndpoint(db),
  begin: async (ground) => new (await import("./dispatcher.ts")).Dispatcher(ground),
  tasks: [
    ...[progressTask, settleTask, disableTask, pruneTask, instanceProgressTask, disableInstanceTask],
    instanceEventTask,
  ],
};
