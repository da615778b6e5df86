import { Pill } from '#ui/pill.tsx'
import { useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface WaitingStateProps {
  row: { readonly first_by: string | null; readonly needs_two: boolean }
  /** The word while nobody has approved it. */
  waiting: string
  /** In a detail there is room to say who was the first. */
  long?: boolean
}

/** For whom something waits: for anyone, for two people, or for the second of them. */
export function WaitingState({ row: { first_by: first, needs_two: needsTwo }, waiting, long }: WaitingStateProps) {
  const { name } = useStaff()
  if (first === name) {
    return (
      // On the open row, which has the same tint, it stands on paper.
      <Pill tone="brand" className="[tr[aria-current=true]_&]:bg-surface">
        {t(long ? 'two_people.yours_long' : 'two_people.yours')}
      </Pill>
    )
  }
  if (first !== null) {
    return <Pill tone="warn">{long ? t('two_people.second_long', { name: first }) : t('two_people.second')}</Pill>
  }
  return <Pill>{needsTwo ? t('two_people.needed') : waiting}</Pill>
}
