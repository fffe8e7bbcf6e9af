// The second factor: codes of an app, and recovery codes.
import { useState } from "preact/hooks";
import { answer, personApi } from "../../api/client.ts";
import { takeSession } from "../../api/session.ts";
import { countText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { QrCode } from "../../parts/qr.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ACCOUNT } from "../../text/account.ts";
import type { Account } from "./profile.tsx";

interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

/** The part of the page. */
export function Factors({ account }: { readonly account: Account }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useAction(async () => {
    const { data } = await answer(personApi.POST("/api/v1/auth/totp"));
    setEnrolment(data);
  });
  const remove = async () => {
    const { data } = await answer(personApi.DELETE("/api/v1/auth/totp"));
    takeSession(data);
    toast(ACCOUNT.removed);
  };
  const renew = async () => {
    const { data } = await answer(personApi.POST("/api/v1/auth/recovery-codes"));
    takeSession(data);
    setCodes(data.recoveryCodes);
  };
  return (
    <Card title={ACCOUNT.factors}>
      <p class="note">{account.hasTotp ? ACCOUNT.hasTotp : ACCOUNT.noFactor}</p>
      <div class="row">
        {!account.hasTotp && <Button {...begin.button}>{ACCOUNT.setUp}</Button>}
        {account.hasTotp && <ConfirmButton label={ACCOUNT.removeTotp} words={ACCOUNT.removeTotpWords} act={remove} />}
      </div>
      {begin.trouble}
      {account.hasTotp && (
        <div class="part">
          <h3>
            {ACCOUNT.recovery} <Badge tone="plain">{ACCOUNT.recoveryLeft(countText(account.recoveryCodesLeft))}</Badge>
          </h3>
          <p class="note">{ACCOUNT.recoveryWords}</p>
          <ConfirmButton label={ACCOUNT.newRecovery} words={ACCOUNT.newRecoveryWords} act={renew} />
        </div>
      )}
      {enrolment && (
        <Enrol
          enrolment={enrolment}
          onClose={() => setEnrolment(null)}
          onDone={(made) => {
            setEnrolment(null);
            setCodes(made);
            toast(ACCOUNT.codesOn);
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}

function Enrol({
  enrolment: { secret, uri },
  onClose,
  onDone,
}: {
  readonly enrolment: Enrolment;
  readonly onClose: () => void;
  readonly onDone: (codes: readonly string[] | null) => void;
}) {
  return (
    <Dialog title={ACCOUNT.setUp} onClose={onClose}>
      <p>{ACCOUNT.scan}</p>
      <div class="enrol">
        <QrCode text={uri} label={ACCOUNT.qr} />
        <div>
          <div class="label">{ACCOUNT.secret}</div>
          <div class="coded">
            <code class="breakable">{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
            <Copy text={secret} />
          </div>
        </div>
      </div>
      <PlainForm
        fields={[{ name: "code", kind: "code", inputMode: "numeric" }]}
        words={{ code: { label: ACCOUNT.code } }}
        submit={ACCOUNT.verify}
        label={ACCOUNT.setUp}
        send={(body) => answer(personApi.POST("/api/v1/auth/totp/verify", { body }))}
        done={({ data }) => {
          takeSession(data);
          onDone(data.recoveryCodes);
        }}
        refused={() => ({ name: "code" })}
      />
    </Dialog>
  );
}

/** Recovery codes, this once; it is left by saying that they are kept. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <Dialog title={ACCOUNT.recovery}>
      <p>
        {ACCOUNT.recoveryShown} {ACCOUNT.recoveryWords}
      </p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="submit-bar">
        <Button kind="primary" onClick={onClose}>
          {ACCOUNT.stored}
        </Button>
        <Copy text={codes.join("\n")} label={ACCOUNT.copyAll} />
      </div>
    </Dialog>
  );
}
