// Mail as a follower: begun where the settings name a mail server.
import type { Follower } from "../../storage/follow/follower.ts";
import { noteMailTask, pruneMailsTask, queueMailsTask, resolveRecoveryTask, settleMailTask } from "./tasks.ts";

/** Sends what is queued. */
export const mail: Follower = {
  name: "mail",
  isWanted: (_db, settings) => settings.mailHost !== null,
  begin: async (ground) => new (await import("./postman.ts")).Postman(ground),
  tasks: [noteMailTask, settleMailTask, resolveRecoveryTask, queueMailsTask, pruneMailsTask],
};
