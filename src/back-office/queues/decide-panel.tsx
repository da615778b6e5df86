import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import type { Decidable, DecisionUnderWay } from '#back-office/queues/use-decision.ts'
import { useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** The field for the text that the user will read. */
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

interface DecideFooterProps {
  item: Decidable
  decision: DecisionUnderWay
  /** Whether the payment is undecided and this staff member can decide it. */
  isOpen: boolean
  /** The amount that an approval moves, as written on the button. */
  amount: string
}

/**
 * Returns the footer of a payment's detail. It shows the buttons while the payment is open, and why a decision failed,
 * even after the payment is decided.
 */
export function decideFooter({ isOpen, ...rest }: DecideFooterProps) {
  const { failure } = rest.decision
  if (!isOpen && failure === null) return undefined
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      {isOpen && <DecideButtons {...rest} />}
    </div>
  )
}

/** Buttons to approve or reject. No keyboard shortcut does either. */
function DecideButtons({ item, decision, amount }: Omit<DecideFooterProps, 'isOpen'>) {
  const { name, is_single_operator: isSingle } = useStaff()
  const { approve, reject } = decision
  const wasFirst = item.first_by === name
  const isFirst = item.needs_two && item.first_by === null
  const approveFirst = isSingle ? t('two_people.approve_alone') : t('two_people.approve_first')
  return (
    <>
      <div className="flex items-center gap-2">
        {/* The button stays where it is. Otherwise a second press could hit the button that took its place. */}
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
        {wasFirst && !isSingle ? (
          <p className="flex-1 ps-2 text-fg-2">{t('two_people.you_were_first')}</p>
        ) : (
          <Button
            size="m"
            className="flex-1"
            loading={approve.isPending}
            disabled={reject.isPending}
            onClick={() => decision.onApprove(item)}
          >
            {isFirst ? approveFirst : t('common.approve', { amount })}
          </Button>
        )}
      </div>
      {wasFirst && isSingle && <p className="text-fg-2">{t('two_people.again_alone')}</p>}
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </>
  )
}
