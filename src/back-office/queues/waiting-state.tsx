import { Pill } from '#ui/pill.tsx'
import { useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface WaitingStateProps {
  row: { readonly first_by: string | null; readonly needs_two: boolean }
  /** The label of a payment that no staff member has approved yet and that needs only one approval. */
  waiting: string
  /** Whether the text also names the first approver, for a detail pane. */
  long?: boolean
}

/** Who has to decide: any staff member, two staff members, or the second of two. */
export function WaitingState({ row: { first_by: first, needs_two: needsTwo }, waiting, long }: WaitingStateProps) {
  const { name } = useStaff()
  if (first === name) {
    return (
      // The open row has the same tint, so the pill gets the surface colour there.
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
