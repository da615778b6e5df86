import type { Fairness, FairnessWindow } from '#contract/fairness.ts'
import { formatCount } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import { durationText } from '#web/i18n/duration-text.ts'
import { FigureList, Section, TooFew } from '#web/screens/fairness/section.tsx'

interface WithdrawalTimesProps {
  withdrawals: FairnessWindow['withdrawals']
  pending: Fairness['pending_withdrawals']
  minUsers: number
}

/** How long users waited for withdrawals, and how long pending ones have waited. */
export function WithdrawalTimes({ withdrawals, pending, minUsers }: WithdrawalTimesProps) {
  const decided = withdrawals && [
    { name: t('fairness.decided'), value: formatCount(withdrawals.decided) },
    { name: t('fairness.median'), value: durationText(withdrawals.median_ms) },
    { name: t('fairness.p95'), value: durationText(withdrawals.p95_ms) },
  ]
  return (
    <Section title={t('fairness.withdrawals_title')}>
      {decided === null ? <TooFew minUsers={minUsers} /> : <FigureList figures={decided} />}
      <FigureList
        figures={[
          { name: t('fairness.pending'), value: formatCount(pending.count) },
          { name: t('fairness.oldest'), value: pending.oldest_ms === null ? '–' : durationText(pending.oldest_ms) },
          { name: t('fairness.late'), value: formatCount(pending.late) },
        ]}
      />
    </Section>
  )
}
