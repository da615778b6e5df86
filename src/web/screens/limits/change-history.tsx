import type { LimitsOut } from '#contract/limits.ts'
import { SectionLabel } from '#ui/card.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { changeText } from '#web/screens/limits/change-text.ts'

type Change = LimitsOut['history'][number]

/** The latest changes of own limits, with their state. */
export function ChangeHistory({ history }: { history: readonly Change[] }) {
  if (history.length === 0) return null
  return (
    <>
      <SectionLabel>{t('limits.history')}</SectionLabel>
      <List>
        {history.map((change) => (
          <ListRow
            key={change.id}
            label={changeText(change)}
            detail={`${dayAndTimeText(Date.parse(change.asked_at))} · ${outcomeText(change.outcome)}`}
          />
        ))}
      </List>
    </>
  )
}

function outcomeText(outcome: Change['outcome']): string {
  return outcome === 'waiting' ? t('limits.is_waiting') : t(`limits.${outcome}`)
}
