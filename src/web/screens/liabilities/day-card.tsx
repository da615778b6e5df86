import type { DayRecord } from '#core/proof/day-record.ts'
import { money } from '#core/money/money.ts'
import { Card } from '#ui/card.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { dayAndTimeText, fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'

/** One published day: the total, and the Merkle root of all balances. */
export function DayCard({ record }: { record: DayRecord }) {
  const recordedAt = Date.parse(record.taken_at)
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-semibold">{fullDayText(recordedAt)}</h3>
        <MoneyText amount={money(BigInt(record.total))} className="text-heading font-semibold" />
      </div>
      <div className="mb-3 flex flex-wrap justify-between gap-x-3 text-label text-fg-2">
        <p>{t('liabilities.as_of', { time: dayAndTimeText(recordedAt) })}</p>
        <p>{t('liabilities.total')}</p>
      </div>
      <p className="mb-1 text-label text-fg-2">{t('liabilities.root')}</p>
      <CopyRow text={record.root} labels={copyLabels()} />
    </Card>
  )
}
