import type { ProofMeasures } from '#contract/measures.ts'
import { formatCount, formatRate } from '#ui/format.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { Section } from '#web/screens/fairness/section.tsx'

/** How many accounts have measures against them, and what share of their users were ahead, compared with all users. */
export function MeasuresSection({ minUsers }: { minUsers: number }) {
  const query = useCallQuery('GET /proof/measures', {})
  if (query.data === undefined)
    return (
      <div className="mt-6">
        <LoadingCard query={query} />
      </div>
    )
  const { kinds, all } = query.data.data
  return (
    <Section title={t('fairness.measures_title')}>
      <dl className="flex flex-col gap-2 text-small">
        {kinds.map((one) => (
          <Row key={one.kind} name={t(`fairness.measure_${one.kind}`)} value={countText(one)} />
        ))}
        <Row
          name={t('fairness.measures_all')}
          value={
            all === null
              ? t('fairness.few', { least: minUsers })
              : t('fairness.measures_ahead', { share: shareText(all.ahead, all.users) })
          }
        />
      </dl>
      <p className="text-label text-fg-2">{t('fairness.measures_hint')}</p>
    </Section>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-fg-2">{name}</dt>
      <dd className="num font-semibold">{value}</dd>
    </div>
  )
}

function countText({ accounts, accounts_90_days: total, ahead }: ProofMeasures['kinds'][number]): string {
  const counts = { now: formatCount(accounts), count: formatCount(total) }
  return total === 0
    ? t('fairness.measures_count', counts)
    : t('fairness.measures_value', { ...counts, share: shareText(ahead, total) })
}

function shareText(ahead: number, users: number): string {
  return formatRate(Math.round((ahead / users) * 10_000) / 100)
}
