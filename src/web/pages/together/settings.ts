// What is set and managed: the account, its organizations, the instance, an organization's settings.
import { Page as account } from "../account.tsx";
import { Page as instance } from "../instance.tsx";
import { Page as organizations } from "../organizations.tsx";
import { Page as settings } from "../settings.tsx";

export const PAGES = { account, organizations, instance, settings } as const;
