import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { useResend } from '#web/screens/verification/use-resend.ts'
import { updateUser, type User } from '#web/session/session.ts'

/** Whether the phone number is confirmed, with a form to confirm it. Only a confirmed number can reset the password. */
export function PhoneCard({ user }: { user: User }) {
  const resend = useResend()
  const [isOpen, setIsOpen] = useState(false)
  const number = `${user.mobile_code} ${user.mobile}`.trim()
  const begin = async () => {
    await resend.send()
    setIsOpen(true)
  }
  return (
    <Card>
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-list">{t('security.phone')}</h2>
          <p className="text-label text-fg-2">
            {t(user.mobile_proven ? 'security.phone_proven' : 'security.phone_unproven', { number })}
          </p>
        </div>
        {!user.mobile_proven && (
          <Button
            size="s"
            variant="secondary"
            loading={resend.busy}
            disabled={resend.waitSeconds > 0}
            onClick={() => void begin()}
          >
            {resend.waitSeconds > 0
              ? t('verification.resend_wait', { seconds: resend.waitSeconds })
              : t('forgot_password.send')}
          </Button>
        )}
      </div>
      {!user.mobile_proven && resend.failure.length > 0 && (
        <div className="mt-3">
          <FormFailure messages={resend.failure} />
        </div>
      )}
      {!user.mobile_proven && isOpen && resend.sentTo !== null && <NumberForm sentTo={resend.sentTo} />}
    </Card>
  )
}

function NumberForm({ sentTo }: { sentTo: string }) {
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({
      code: code.trim() === '' ? t('common.required', { name: t('verification.code') }) : undefined,
    }),
    submit: async ({ code }) => {
      await call('POST /user/email-verify/verify', { body: { code: code.trim() } })
      updateUser({ mobile_proven: true })
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="mt-4 flex flex-col gap-3">
      <Alert tone="success">{t('verification.sent_to', { address: sentTo })}</Alert>
      <FormFailure messages={form.failure} />
      <CodeField {...form.field('code')} label={t('verification.code')} maxLength={20} />
      <Button type="submit" loading={form.busy}>
        {t('security.phone_confirm')}
      </Button>
    </form>
  )
}
