// `/account`: a person's own name, e-mail, password, factors, sessions, and what happened to the account.

import { session } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { ACCOUNT } from "../../text/account.ts";
import { Calendars } from "./calendars.tsx";
import { Factors } from "./factors.tsx";
import { Locale } from "./locale-form.tsx";
import { Notifications } from "./notifications.tsx";
import { Password, Profile } from "./profile.tsx";
import { Activity, Sessions } from "./sessions.tsx";
import { OtherWays } from "./ways.tsx";

/** The page. */
export function Page() {
  const account = useStore(session)?.account;
  if (!account) return null;
  return (
    <>
      <PageHead title={ACCOUNT.title} />
      <div class="columns">
        <Profile account={account} />
        <Password account={account} />
        <div class="stack">
          <Factors account={account} />
          <Locale />
        </div>
        <OtherWays />
        <Calendars />
        <Notifications />
      </div>
      <Sessions />
      <Activity />
    </>
  );
}
