import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { failureText } from '#admin/api/call-staff.ts'
import { TextArea } from '#admin/forms/text-area.tsx'
import type { Decidable, DecisionUnderWay } from '#admin/queues/use-decision.ts'
import { useStaff } from '#admin/shell/staff.ts'
import { t } from '#admin/t.ts'

/** What the user will read. */
export function DecisionWords({ decision }: { decision: DecisionUnderWay }) {
  return (
    <div className="pb-5">
      <TextArea
        {...decision.field}
        label={t('common.message')}
        placeholder={t('common.message_hint')}
        maxLength={500}
      />
    </div>
  )
}

interface DecideButtonsProps {
  item: Decidable
  decision: DecisionUnderWay
  /** What approving moves, as it is written on the button. */
  amount: string
}

/** Approve or reject. No key does either: it takes a press of the button. */
export function DecideButtons({ item, decision, amount }: DecideButtonsProps) {
  const { name } = useStaff()
  const { approve, reject, failure } = decision
  const wasFirst = item.approved_by === name
  const isFirst = item.needs_two && item.approved_by === null
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      <div className="flex items-center gap-2">
        {/* It never moves to where the other one was: a second press would hit it. */}
        <Button
          variant="danger"
          size="m"
          className="min-w-28"
          loading={reject.isPending}
          disabled={approve.isPending}
          onClick={() => decision.onReject(item)}
        >
          {t('common.reject')}
        </Button>
        {wasFirst ? (
          <p className="flex-1 ps-2 text-fg-2">{t('two_people.you_were_first')}</p>
        ) : (
          <Button
            size="m"
            className="flex-1"
            loading={approve.isPending}
            disabled={reject.isPending}
            onClick={() => decision.onApprove(item)}
          >
            {isFirst ? t('two_people.approve_first') : t('common.approve', { amount })}
          </Button>
        )}
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}
