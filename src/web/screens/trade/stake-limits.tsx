import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'
import { useSettings } from '#web/site/settings.ts'

const TEXTS = { stake_limit: 'trade.staff_limit', open_limit: 'trade.staff_open_limit' } as const

/** The limits that the staff set for this user, each with its reason. */
export function StakeLimits() {
  const limits = useSession()?.user.stake_limits ?? []
  const site = useSettings()?.site_name ?? 'Fairwick'
  return limits.map(({ kind, value, reason, since }) => (
    <p key={kind} className="text-label text-warn">
      {t(TEXTS[kind], {
        value: formatMoney(moneyOf(value)),
        site,
        // The full stop is removed, because the text continues after the reason.
        reason: reason.replace(/[.。]$/, ''),
        date: dayAndTimeText(Date.parse(since)),
      })}
    </p>
  ))
}
