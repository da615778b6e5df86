import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'

/** Shows on every screen that the user closes the account. */
export function ClosingStrip() {
  if (!useSession()?.user.closing) return null
  return (
    <div className="px-(--gutter) py-2 md:mx-auto md:w-full md:max-w-[1120px]">
      <Alert tone="info">
        {t('shell.closing')}{' '}
        <Link href="/account/close" className="hit font-semibold text-brand underline-offset-4 hover:underline">
          {t('closing.title')}
        </Link>
      </Alert>
    </div>
  )
}
