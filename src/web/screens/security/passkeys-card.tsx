import { useState } from 'react'
import type { PasskeyOut } from '#contract/security.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/field.tsx'
import { call } from '#web/api/call.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import type { Act } from '#web/screens/security/security-screen.tsx'
import { addPasskey, passkeyFailure } from '#web/security/passkeys.ts'
import { canUsePasskeys } from '#web/security/passkey-support.ts'

interface PasskeysCardProps {
  passkeys: readonly PasskeyOut[]
  onChanged: (recoveryCodes: readonly string[]) => void
  act: Act
}

/** The own passkeys by name, and another one. */
export function PasskeysCard({ passkeys, onChanged, act }: PasskeysCardProps) {
  const [name, setName] = useState<string | null>(null)
  const [failure, setFailure] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  if (passkeys.length === 0 && !canUsePasskeys()) return null
  const add = async (given: string) => {
    setFailure('')
    setIsBusy(true)
    try {
      onChanged(await addPasskey(given))
      setName(null)
    } catch (error) {
      setFailure(passkeyFailure(error))
    }
    setIsBusy(false)
  }
  return (
    <Card className="mb-2">
      <h3 className="font-list">{t('security.passkeys')}</h3>
      <p className="text-label text-fg-2">{t('security.passkeys_hint')}</p>
      <ul>
        {passkeys.map((one) => (
          <li key={one.id} className="flex min-h-13 items-center gap-3 border-t border-line first:mt-3">
            <div className="min-w-0 flex-1">
              <p className="truncate" dir="auto">
                {one.name}
              </p>
              <p className="text-label text-fg-2">
                {t('security.added', { time: dayAndTimeText(Date.parse(one.created_at)) })}
              </p>
            </div>
            <Button
              size="s"
              variant="quiet"
              aria-label={`${t('security.remove')}: ${one.name}`}
              onClick={() =>
                void act(() => call('POST /user/security/passkeys/:id/remove', { params: { id: one.id } }))
              }
            >
              {t('security.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {failure !== '' && (
        <Alert tone="danger" className="mt-3">
          {failure}
        </Alert>
      )}
      {name !== null && (
        <Field
          className="mt-3"
          label={t('security.passkey_name')}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      {canUsePasskeys() && (
        <Button
          size="m"
          variant="secondary"
          wide
          className="mt-3"
          loading={isBusy}
          disabled={name?.trim() === ''}
          onClick={() => (name === null ? setName('Passkey') : void add(name))}
        >
          {t('security.add_passkey')}
        </Button>
      )}
    </Card>
  )
}
