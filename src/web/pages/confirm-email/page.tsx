// `/confirm-email#…`: proves a new e-mail address by the link that was sent to it.
import { useState } from "preact/hooks";
import { answer, personApi } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { linkToken, useLink } from "../../frame/link.ts";
import { Bare, DeadLink } from "../../parts/bare-page.tsx";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Loaded } from "../../parts/states.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { CONFIRM_EMAIL, RESET } from "../../text/sign-in/joining.ts";

/** The page. */
export function Page() {
  const query = useLink();
  const [isDone, setDone] = useState(false);
  const confirm = useAction(async () => {
    await answer(personApi.POST("/api/v1/auth/confirm-email", { body: { token: linkToken() } }));
    setDone(true);
  });
  const hasToken = linkToken() !== "";
  const isDead = query.error instanceof ApiProblem;
  if (isDone) {
    return (
      <Bare title={CONFIRM_EMAIL.title}>
        <Notice tone="good" actions={<LinkButton href="/">{CONFIRM_EMAIL.goOn}</LinkButton>}>
          {CONFIRM_EMAIL.done}
        </Notice>
      </Bare>
    );
  }
  return (
    <Bare title={CONFIRM_EMAIL.title}>
      {!hasToken && <Notice tone="warn">{RESET.noLink}</Notice>}
      {isDead && <DeadLink title={RESET.dead} error={query.error} />}
      {hasToken && !isDead && (
        <Loaded query={query} what={RESET.checking}>
          {({ email }) => (
            <>
              <p>{CONFIRM_EMAIL.words(email)}</p>
              <Button kind="primary" {...confirm.button}>
                {CONFIRM_EMAIL.submit}
              </Button>
              {confirm.trouble}
            </>
          )}
        </Loaded>
      )}
    </Bare>
  );
}
