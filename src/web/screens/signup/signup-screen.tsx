import { useEffect, useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import type { Reply } from '#web/api/call.ts'
import { t } from '#web/i18n/t.ts'
import { SignupForm } from '#web/screens/signup/signup-form.tsx'
import { AuthHeader } from '#web/shell/headers.tsx'
import { useGo } from '#web/session/navigation.ts'
import { Page } from '#web/shell/page.tsx'
import { keepDevice } from '#web/security/device.ts'
import { signIn } from '#web/session/session.ts'

/** 2 s: how long "Registered Successfully!" is shown before the redirect. */
const REDIRECT_MS = 2_000

type Registered = Reply<'POST /user/auth/register'>

export function SignupScreen() {
  const [registered, setRegistered] = useState<Registered | null>(null)
  useGoOn(registered)
  return (
    <Page title={t('signup.title')} header={<AuthHeader />} className="pt-3 lg:pt-12">
      <div className="flex flex-1 flex-col md:mx-auto md:w-full md:max-w-[480px] md:flex-none">
        <h1 className="text-auth">{t('signup.title')}</h1>
        <p className="text-fg-2">
          {t('signup.have_one')}{' '}
          <Link href="/login" className="inline-flex min-h-11 items-center font-semibold text-brand">
            {t('signup.login')}
          </Link>
        </p>
        {registered && (
          <Alert tone="success" title={t('signup.registered')} className="mt-2">
            {t('signup.registered_next')}
          </Alert>
        )}
        <SignupForm isDone={registered !== null} onRegistered={setRegistered} />
      </div>
    </Page>
  )
}

/** Logs in only at the redirect. An earlier log-in would replace the page and its message. */
function useGoOn(registered: Registered | null): void {
  const go = useGo()
  useEffect(() => {
    if (registered === null) return undefined
    const timer = setTimeout(() => {
      keepDevice(registered.device)
      signIn({ token: registered.token, user: registered.user })
      go('/')
    }, REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [registered, go])
}
