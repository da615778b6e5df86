import { useState } from 'react'
import { renderSVG } from 'uqr'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { Field } from '#ui/field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import type { Act } from '#web/screens/security/act.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'

interface AuthenticatorCardProps {
  isOn: boolean
  onChanged: (recoveryCodes: readonly string[]) => void
  act: Act
}

/** The authenticator app: off, in setup, or on. */
export function AuthenticatorCard({ isOn, onChanged, act }: AuthenticatorCardProps) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const press = async () => {
    setIsBusy(true)
    await act(async () => {
      if (isOn) await call('POST /user/security/authenticator/off')
      else setSecret((await call('POST /user/security/authenticator')).data)
    })
    setIsBusy(false)
  }
  return (
    <Card className="mb-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="font-list">{t('security.app')}</h3>
          <p className="text-label text-fg-2">{isOn ? t('security.on') : t('security.off')}</p>
        </div>
        <Button size="s" variant="secondary" loading={isBusy} onClick={() => void press()}>
          {isOn ? t('security.turn_off') : t('security.set_up')}
        </Button>
      </div>
      {secret !== null && !isOn && (
        <SetUp
          {...secret}
          onDone={(codes) => {
            setSecret(null)
            onChanged(codes)
          }}
        />
      )}
    </Card>
  )
}

function SetUp({ secret, uri, onDone }: { secret: string; uri: string; onDone: (codes: readonly string[]) => void }) {
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: code === '' ? t('common.required', { name: t('security.code') }) : undefined }),
    submit: async (body) => onDone((await call('POST /user/security/authenticator/on', { body })).data.recovery_codes),
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="mt-4 flex flex-col gap-3">
      <p className="text-small text-fg-2">{t('security.scan')}</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`}
        alt={t('security.square')}
        width={184}
        height={184}
        className="self-center rounded-card bg-white p-2"
      />
      <CopyRow text={secret} labels={copyLabels()} />
      <FormFailure messages={form.failure} />
      <Field {...form.field('code')} label={t('security.code')} inputMode="numeric" autoComplete="one-time-code" ltr />
      <Button type="submit" loading={form.busy}>
        {t('security.turn_on')}
      </Button>
    </form>
  )
}
