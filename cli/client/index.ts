// What the package captable-client exports.
// biome-ignore-all lint/performance/noBarrelFile: a package has one entrance
export type { Answer, Api } from "./api.ts";
export type { Added, Batch, BatchResult, Ref, RunOptions, WithRefs } from "./batch.ts";
export { Captable } from "./captable.ts";
export { ConnectionError, type FieldError, type Problem, ProblemError } from "./errors.ts";
export type { CaptableEvent, EventsOptions, FeedEvent } from "./events.ts";
export type { Listed, ListOptions, ListPath } from "./list.ts";
export type { EventPattern, EventType, ProblemSlug } from "./made/known.ts";
export type { components, operations, paths } from "./made/types.ts";
export type { Connection, Fetch } from "./sender.ts";
export { verifyWebhook, type WebhookEvent, type WebhookHeaders, WebhookVerificationError } from "./webhook.ts";
