import BadgeCheck from 'lucide-react/icons/badge-check'
import { ButtonLink } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'
import { CodeForm } from '#web/screens/verification/code-form.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'

export function VerificationScreen() {
  const isVerified = useSession()?.user.ev === true
  return (
    <Page title={t('verification.title')} header={<DeepHeader title={t('verification.title')} parent="/wallet" />}>
      {isVerified ? <Verified /> : <CodeForm />}
    </Page>
  )
}

function Verified() {
  return (
    <div className="flex flex-col items-center py-10 text-center">
      <BadgeCheck size={32} strokeWidth={1.5} className="text-ok" aria-hidden="true" />
      <h2 className="mt-3 text-title">{t('verification.verified')}</h2>
      <p className="mt-1 text-fg-2">{t('verification.verified_text')}</p>
      <ButtonLink href="/market" wide={false} className="mt-6">
        {t('verification.to_market')}
      </ButtonLink>
    </div>
  )
}
