import { flushSync } from 'react-dom'
import { maskAddress } from '#core/accounts/mask-address.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { OutboxCode } from '#web/screens/verification/outbox-code.tsx'
import { useResend } from '#web/screens/verification/use-resend.ts'
import { useGo } from '#web/session/navigation.ts'
import { showNotice } from '#web/session/notice.ts'
import { getSession, signOut, useSession } from '#web/session/session.ts'

/** The code field, with a button to send another code, and where to find codes that cannot be sent. */
export function CodeForm() {
  const go = useGo()
  const resend = useResend()
  const user = useSession()?.user
  // The server sends the code to the email, or to the phone if there is none.
  const sentTo = user && (user.email ?? `${user.mobile_code}${user.mobile}`)
  const address = resend.sentTo ?? (sentTo === undefined ? null : maskAddress(sentTo))
  const isSent = user?.code_sent !== false || resend.sentTo !== null
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({
      code: code.trim() === '' ? t('common.required', { name: t('verification.code') }) : undefined,
    }),
    submit: async ({ code }) => {
      await call('POST /user/email-verify/verify', { body: { code: code.trim() } })
      // The server has ended all sessions of the account. The return path is kept until the next log-in.
      const username = getSession()?.user.username
      showNotice({ tone: 'success', title: t('login.verified'), text: t('login.verified_why'), username })
      signOut()
      go('/login', { replace: true })
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3 pt-2 lg:max-w-[480px]">
      <h2 className="text-title">{t('verification.heading')}</h2>
      {user !== undefined && user.ev_reason !== '' && (
        <Alert tone="warn" title={t('verification.taken_back')}>
          {user.ev_reason}
        </Alert>
      )}
      <p className="text-fg-2">
        {isSent
          ? address === null
            ? t('verification.explain')
            : t('verification.explain_to', { address })
          : t('verification.no_code', { button: t('verification.resend'), address: address ?? '' })}
      </p>
      {isSent && sentTo !== undefined && (
        // One press fills in the code and sends the form.
        <OutboxCode key={resend.sentTimes} address={sentTo} onUse={(code) => flushSync(() => form.set('code', code))} />
      )}
      <FormFailure messages={form.failure.length > 0 ? form.failure : resend.failure} />
      {resend.sentTo !== null && form.failure.length === 0 && (
        <Alert tone="success">{t('verification.code_sent')}</Alert>
      )}
      <CodeField
        {...form.field('code')}
        label={t('verification.code')}
        maxLength={20}
        action={
          <Button
            variant="quiet"
            size="s"
            loading={resend.busy}
            disabled={resend.waitSeconds > 0}
            onClick={() => void resend.send()}
          >
            {resend.waitSeconds > 0
              ? t('verification.resend_wait', { seconds: resend.waitSeconds })
              : t('verification.resend')}
          </Button>
        }
      />
      <Button type="submit" loading={form.busy} className="mt-2">
        {t('verification.submit')}
      </Button>
      <p className="text-center text-caption text-fg-3">{t('verification.after')}</p>
    </form>
  )
}
