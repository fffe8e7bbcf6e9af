// `/account`: a person's own name, e-mail, password, factors, sessions, and what happened to the account.

import { session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { PageHead } from "../parts/page.tsx";
import { ACCOUNT } from "../text/account.ts";
import { Factors } from "./account/factors.tsx";
import { Locale } from "./account/locale.tsx";
import { Password, Profile } from "./account/profile.tsx";
import { Activity, Sessions } from "./account/sessions.tsx";
import { OtherWays } from "./account/ways.tsx";

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
      </div>
      <Sessions />
      <Activity />
    </>
  );
}
