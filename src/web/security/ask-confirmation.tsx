import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Sheet } from '#ui/sheet.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { confirmWithPasskey } from '#web/security/passkeys.ts'
import { ProofForm } from '#web/security/proof-form.tsx'

/**
 * Asks the user to confirm their identity; resolves to whether they did. The dialog opens over any screen, because any
 * call may need it.
 */
export async function askConfirmation(): Promise<boolean> {
  const [{ data }] = await Promise.all([call('GET /user/security'), loadTexts('more')])
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const confirmed = await new Promise<boolean>((resolve) => {
    root.render(<ConfirmationSheet own={data} onEnd={resolve} />)
  })
  root.unmount()
  place.remove()
  return confirmed
}

function ConfirmationSheet({ own, onEnd }: { own: Reply<'GET /user/security'>; onEnd: (confirmed: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(true)
  const end = (confirmed: boolean) => {
    // The dialog is closed first, so that the focus returns to the element that had it before.
    setIsOpen(false)
    setTimeout(() => onEnd(confirmed))
  }
  const hasPasskey = own.passkeys.length > 0
  const hasCodes = own.authenticator || (hasPasskey && own.recovery_codes_left > 0)
  const asks = hasCodes ? 'code' : hasPasskey ? null : 'password'
  return (
    <Sheet open={isOpen} onClose={() => end(false)} title={t('security.confirm_title')} closeLabel={t('common.close')}>
      <ProofForm
        asks={asks}
        submitLabel={t('security.confirm')}
        onTyped={async (typed) => {
          const body = asks === 'password' ? { password: typed } : { code: typed }
          await call('POST /user/security/confirm', { body })
          end(true)
        }}
        onPasskey={
          hasPasskey
            ? async () => {
                await confirmWithPasskey()
                end(true)
              }
            : undefined
        }
      />
    </Sheet>
  )
}
