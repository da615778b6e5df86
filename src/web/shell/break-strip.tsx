import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useOwnBreak } from '#web/limits/own-break.ts'

const LINK = 'hit font-semibold text-brand underline-offset-4 hover:underline'

/** Shows on every screen that the user is on a break, until when, and what stays possible. */
export function BreakStrip() {
  const own = useOwnBreak()
  if (own === null) return null
  return (
    <div className="px-(--gutter) py-2 md:mx-auto md:w-full md:max-w-[1120px]">
      <Alert tone="info">
        {own.state === 'on' ? t('shell.on_break', { date: fullDayText(Date.parse(own.until)) }) : t('shell.over_break')}{' '}
        <span className="mt-1 flex gap-4">
          <Link href="/withdraw" className={LINK}>
            {t('screen.withdraw')}
          </Link>
          <Link href="/account/limits" className={LINK}>
            {t('screen.limits')}
          </Link>
        </span>
      </Alert>
    </div>
  )
}
