import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import type { UserData } from '#back-office/pages/users/user-data.ts'

/** A measure that is in force, with the user's id. */
export type UserMeasure = UserData['measures'][number] & { readonly userId: string }

/**
 * Shows when a measure ends by itself. If one staff member cannot set a measure of this length alone, a second one can
 * agree to it here.
 */
export function MeasureEnd({ measure: { id, userId, until, needs_second: needsSecond } }: { measure: UserMeasure }) {
  const toast = useToast()
  const agree = useStaffChange(staffCalls.staffAgreeMeasure)
  if (until === null) return null
  const send = async (): Promise<void> => {
    try {
      await agree.mutateAsync({ params: { id: userId, measure: id } })
      toast({ tone: 'success', text: t('users.done') })
    } catch (error) {
      toast({ tone: 'danger', text: failureText(error) })
    }
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-caption text-fg-2">
      {t('users.ends', { time: time(until) })}
      {needsSecond && (
        <Button variant="secondary" size="s" loading={agree.isPending} onClick={() => void send()}>
          {t('users.agree')}
        </Button>
      )}
    </span>
  )
}
