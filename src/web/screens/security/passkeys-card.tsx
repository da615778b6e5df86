import { type FormEvent, useState } from 'react'
import type { PasskeyOut } from '#contract/security.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/field.tsx'
import { call } from '#web/api/call.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import type { Act } from '#web/screens/security/act.ts'
import { addPasskey, passkeyFailure } from '#web/security/passkeys.ts'
import { canUsePasskeys } from '#web/security/passkey-support.ts'

interface PasskeysCardProps {
  passkeys: readonly PasskeyOut[]
  onChanged: (recoveryCodes: readonly string[]) => void
  act: Act
}

/** The user's passkeys by name, and a button to add one. */
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
          <PasskeyRow key={one.id} passkey={one} act={act} />
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

/** A passkey with its name, which the user can change. */
function PasskeyRow({ passkey, act }: { passkey: PasskeyOut; act: Act }) {
  const { id, name } = passkey
  const [draft, setDraft] = useState<string | null>(null)
  const rename = async (event: FormEvent) => {
    event.preventDefault()
    const next = draft?.trim() ?? ''
    if (next !== '' && next !== name)
      await act(() => call('POST /user/security/passkeys/:id/rename', { params: { id }, body: { name: next } }))
    setDraft(null)
  }
  return (
    <li className="border-t border-line py-2 first:mt-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere" dir="auto">
            {name}
          </p>
          <p className="text-label text-fg-2">
            {t('security.added', { time: dayAndTimeText(Date.parse(passkey.created_at)) })}
          </p>
        </div>
        <div className="flex gap-2">
          <Button
            size="s"
            variant="quiet"
            aria-label={`${t('security.rename')}: ${name}`}
            aria-expanded={draft !== null}
            onClick={() => setDraft(draft === null ? name : null)}
          >
            {t('security.rename')}
          </Button>
          <Button
            size="s"
            variant="quiet"
            aria-label={`${t('security.remove')}: ${name}`}
            onClick={() => void act(() => call('POST /user/security/passkeys/:id/remove', { params: { id } }))}
          >
            {t('security.remove')}
          </Button>
        </div>
      </div>
      {draft !== null && (
        <form onSubmit={(event) => void rename(event)} className="mt-1 mb-2 flex flex-col gap-2" noValidate>
          <Field
            label={t('security.passkey_name')}
            value={draft}
            maxLength={60}
            dir="auto"
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" size="s" className="self-end" disabled={draft.trim() === ''}>
            {t('edit_profile.save')}
          </Button>
        </form>
      )}
    </li>
  )
}
