import { useEffect, useRef, useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { useMarketCount } from '#web/api/use-market-count.ts'
import orderArt from '#web/art/order.svg'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { keepDevice, ownDevice } from '#web/security/device.ts'
import { canUsePasskeys } from '#web/security/passkey-support.ts'
import { AuthHeader } from '#web/shell/headers.tsx'
import { NoticeAlert } from '#web/shell/notice-alert.tsx'
import { dismissNotice, useNotice } from '#web/session/notice.ts'
import { Page } from '#web/shell/page.tsx'
import { signIn } from '#web/session/session.ts'
import { useIsDemo } from '#web/site/settings.ts'
import { latePart } from '#web/parts/late-part.tsx'

export function LoginScreen() {
  const isDemo = useIsDemo()
  return (
    <Page title={t('login.title')} header={<AuthHeader />} width="wide" className="pt-1 lg:pt-12">
      <div className="flex flex-1 flex-col md:mx-auto md:w-full md:max-w-[480px] lg:max-w-none lg:flex-none lg:flex-row lg:items-center lg:gap-16">
        <Picture />
        <div className="flex flex-1 flex-col pt-6 lg:max-w-[480px] lg:pt-0">
          <Headline />
          <LoginForm />
          {isDemo && (
            <p className="mt-auto pt-4 pb-6 text-center text-caption text-fg-3 lg:mt-0">{t('login.demo_note')}</p>
          )}
        </div>
      </div>
    </Page>
  )
}

function Headline() {
  const count = useMarketCount()
  return (
    <>
      <h1 className="text-auth">{t('login.headline')}</h1>
      <p className="mt-1 [text-wrap:balance] text-fg-2">
        {count === null ? t('login.subline_plain') : t('login.subline', { count })}
      </p>
    </>
  )
}

function LoginForm() {
  const notice = useNotice()
  const [step, setStep] = useState<Step | null>(null)
  const password = useRef<HTMLInputElement>(null)
  const isNamed = notice?.username !== undefined
  useEffect(() => {
    // The username is already filled in, so the password gets the focus.
    if (isNamed) password.current?.focus()
  }, [isNamed])
  const form = useForm({
    initial: { username: notice?.username ?? '', password: '' },
    validate: ({ username, password }) => ({
      username: username === '' ? t('common.required', { name: t('login.username') }) : undefined,
      password: password === '' ? t('common.required', { name: t('login.password') }) : undefined,
    }),
    submit: async (body) => {
      const { data } = await call('POST /user/auth/login', { body: { ...body, device: ownDevice() } })
      if ('second_step' in data) setStep(data.second_step)
      else enter(data)
    },
  })
  if (step !== null) {
    return <SecondStep step={step} onSignedIn={enter} onStartAgain={() => setStep(null)} />
  }
  return (
    <form onSubmit={form.onSubmit} noValidate className="mt-6 flex flex-col gap-3">
      {notice && form.failure.length === 0 && <NoticeAlert notice={notice} />}
      <FormFailure messages={form.failure} />
      <Field
        {...form.field('username')}
        label={t('login.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...form.field('password')}
        label={t('login.password')}
        ref={password}
        autoComplete="current-password"
        showLabel={t('common.show_password')}
        hideLabel={t('common.hide_password')}
      />
      <p className="-my-1 text-end">
        <Link href="/forgot-password" className="inline-flex min-h-11 items-center text-small font-semibold text-brand">
          {t('login.forgot')}
        </Link>
      </p>
      <Button type="submit" loading={form.busy}>
        {t('login.submit')}
      </Button>
      {canUsePasskeys() && <PasskeyButton />}
      <p className="text-center text-fg-2">
        {t('login.new_here')}{' '}
        <Link href="/signup" className="inline-flex min-h-11 items-center font-semibold text-brand">
          {t('login.signup')}
        </Link>
      </p>
    </form>
  )
}

type SignedIn = Extract<Reply<'POST /user/auth/login'>, { token: string }>
type Step = Extract<Reply<'POST /user/auth/login'>, { second_step: object }>['second_step']

function enter({ token, user, device }: SignedIn): void {
  dismissNotice()
  keepDevice(device)
  // The navigation rules now redirect to the stored return path or the market.
  signIn({ token, user })
}

const SecondStep = latePart(async () => {
  const [step] = await Promise.all([import('#web/security/second-step.tsx'), loadTexts('more')])
  return step.SecondStep
})

/** The code for passkeys is loaded when the user presses the button. */
function PasskeyButton() {
  const [failure, setFailure] = useState('')
  const press = async () => {
    setFailure('')
    const [passkeys] = await Promise.all([import('#web/security/passkeys.ts'), loadTexts('more')])
    try {
      enter(await passkeys.signInWithPasskey())
    } catch (error) {
      setFailure(passkeys.passkeyFailure(error))
    }
  }
  return (
    <>
      {failure !== '' && <Alert tone="danger">{failure}</Alert>}
      <Button variant="secondary" onClick={() => void press()}>
        {t('login.passkey')}
      </Button>
    </>
  )
}

/** A picture of an order from entry to expiry, to introduce the product. */
function Picture() {
  return (
    <div
      aria-hidden="true"
      dir="ltr"
      className="relative h-49 shrink-0 overflow-hidden rounded-sheet bg-ink lg:h-auto lg:flex-1"
    >
      <img src={orderArt} alt="" className="size-full object-cover" />
      <span className="mono absolute bottom-3.5 left-[20%] text-micro text-on-ink-2">{t('login.entry')}</span>
      <span className="mono absolute right-[18%] bottom-3.5 text-micro text-on-ink-2">{t('login.expiry')}</span>
    </div>
  )
}
