import type { Reply } from '#web/api/call.ts'
import { Button } from '#ui/button.tsx'
import { call } from '#web/api/call.ts'
import { t } from '#web/i18n/t.ts'
import { ownDevice } from '#web/security/device.ts'
import { signInWithPasskey } from '#web/security/passkeys.ts'
import { ProofForm } from '#web/security/proof-form.tsx'

type SignedIn = Reply<'POST /user/auth/second-step'>

interface SecondStepProps {
  step: { ticket: string; ways: readonly string[] }
  onSignedIn: (reply: SignedIn) => void
  onStartAgain: () => void
}

/** The previous field is gone, so the first field takes the focus. */
function focusFirst(box: HTMLElement | null): void {
  box?.querySelector('input')?.focus()
}

/** The second step of the log-in: a code, a recovery code or a passkey. */
export function SecondStep({ step: { ticket, ways }, onSignedIn, onStartAgain }: SecondStepProps) {
  return (
    <div ref={focusFirst} className="mt-6 flex flex-col gap-3">
      <h2 className="text-heading">{t('security.second_title')}</h2>
      <ProofForm
        asks={ways.includes('code') || ways.includes('recovery') ? 'code' : null}
        submitLabel={t('security.confirm')}
        onTyped={async (code) =>
          onSignedIn((await call('POST /user/auth/second-step', { body: { ticket, code, device: ownDevice() } })).data)
        }
        onPasskey={ways.includes('passkey') ? async () => onSignedIn(await signInWithPasskey(ticket)) : undefined}
      />
      <Button variant="quiet" size="m" onClick={onStartAgain}>
        {t('security.start_again')}
      </Button>
    </div>
  )
}
