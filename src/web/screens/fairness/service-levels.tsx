import type { ServiceLevels } from '#contract/service-levels.ts'
import { REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import { formatCount, formatMoney } from '#ui/format.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { durationText } from '#web/i18n/duration-text.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { FigureList, Section } from '#web/screens/fairness/section.tsx'

/** How long deposits and withdrawals took, how many were rejected, and how many wait. */
export function ServiceLevelsSections() {
  const query = useCallQuery('GET /proof/service-levels', {})
  if (query.data === undefined)
    return (
      <div className="mt-6">
        <LoadingCard query={query} />
      </div>
    )
  const { deposits, withdrawals } = query.data.data
  return (
    <>
      <Levels title={t('fairness.service_withdrawals')} levels={withdrawals} />
      <Levels title={t('fairness.service_deposits')} levels={deposits} />
    </>
  )
}

function Levels({ title, levels: { windows, waiting } }: { title: string; levels: ServiceLevels }) {
  const ninetyDays = windows.at(-1)
  const over = [
    [DAY_MS, waiting.over_24h],
    [72 * HOUR_MS, waiting.over_72h],
    [7 * DAY_MS, waiting.over_7d],
  ] as const
  return (
    <Section title={title}>
      <ul className="flex flex-col gap-1 text-small">
        {windows.map((one) => (
          <li key={one.days}>{windowText(one)}</li>
        ))}
      </ul>
      <FigureList
        figures={[
          { name: t('fairness.pending'), value: formatCount(waiting.count) },
          { name: t('fairness.oldest'), value: waiting.oldest_ms === null ? '–' : durationText(waiting.oldest_ms) },
          { name: t('fairness.service_rejected'), value: formatCount(ninetyDays?.rejected ?? 0) },
          { name: t('fairness.service_cancelled'), value: formatCount(ninetyDays?.cancelled ?? 0) },
        ]}
      />
      <ul className="flex flex-col gap-1 text-small">
        {REJECTION_CODES.filter((code) => ninetyDays?.rejected_by[code] !== undefined).map((code) => (
          <li key={code}>
            {t(`withdrawal_history.reason_${code}`)} <span className="num">{ninetyDays?.rejected_by[code]}</span>
          </li>
        ))}
        {over
          .filter(([, { count }]) => count > 0)
          .map(([ms, { count, sum }]) => (
            <li key={ms}>
              {t('fairness.service_over', {
                time: durationText(ms),
                count: formatCount(count),
                sum: formatMoney(moneyOf(sum)),
              })}
            </li>
          ))}
      </ul>
      <p className="text-label text-fg-2">{t('fairness.service_hint')}</p>
    </Section>
  )
}

function windowText({ days, done, median_ms: median, p90_ms: p90 }: ServiceLevels['windows'][number]): string {
  const window = t('trade.days', { count: days })
  if (median === null || p90 === null) return t('fairness.service_none', { days: window })
  const times = { median: durationText(median), p90: durationText(p90) }
  return t('fairness.service_window', { days: window, ...times, count: formatCount(done) })
}
