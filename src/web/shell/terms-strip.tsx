import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'

/** Shows on every screen that orders and deposits wait for the consent to new terms of use. */
export function TermsStrip() {
  if (useSession()?.user.terms_needed !== true) return null
  return (
    <div className="px-(--gutter) py-2 md:mx-auto md:w-full md:max-w-[1120px]">
      <Alert tone="info">
        {t('shell.terms_needed')}{' '}
        <Link href="/terms" className="hit font-semibold text-brand underline-offset-4 hover:underline">
          {t('shell.terms_read')}
        </Link>
      </Alert>
    </div>
  )
}
