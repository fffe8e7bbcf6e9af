// Pages of a person: signing in, the account, its organizations, the instance.

import { Page as account } from "../account.tsx";
import { Page as instance } from "../instance.tsx";
import { Page as join } from "../join.tsx";
import { Page as organizations } from "../organizations.tsx";
import { Page as reset } from "../reset.tsx";
import { Page as setUp } from "../set-up.tsx";
import { Page as signIn } from "../sign-in.tsx";
import { Page as start } from "../start.tsx";

export const PAGES = { start, signIn, setUp, join, reset, account, organizations, instance } as const;
