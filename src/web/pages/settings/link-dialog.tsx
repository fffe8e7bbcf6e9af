// A link that is shown this once: to copy, or to send by the person's own mail program.
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant } from "../../parts/figure.tsx";
import { MEMBERS } from "../../text/settings.ts";

/** A link and for whom it is. */
export interface MadeLink {
  readonly url: string;
  readonly expiresAt: string;
  readonly email: string;
  readonly subject: string;
  readonly body: string;
}

/** The dialog; it is left by its button alone. */
export function LinkDialog({ link, onClose }: { readonly link: MadeLink; readonly onClose: () => void }) {
  const { url, expiresAt, email, subject, body } = link;
  const mail = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  return (
    <Dialog title={MEMBERS.linkTitle}>
      <p>{MEMBERS.linkWords(email)}</p>
      <code class="secret breakable">{url}</code>
      <p class="note">
        {MEMBERS.linkUntil} <Instant value={expiresAt} />
      </p>
      <div class="row">
        <Copy text={url} label={MEMBERS.copyLink} />
        <a class="button plain" href={mail}>
          {MEMBERS.openMail}
        </a>
      </div>
      <div class="submit-bar">
        <Button kind="primary" onClick={onClose}>
          {MEMBERS.done}
        </Button>
      </div>
    </Dialog>
  );
}
