import { useState } from 'react'
import type { StaffTicketOut } from '#contract/back-office/tickets.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { t } from '#back-office/i18n/t.ts'

const ALSO = { alsoAreas: ['counts'] }

/** The owner of a ticket, with buttons to take the ticket and to hand it to another staff member. */
export function TicketOwner({ ticket }: { ticket: StaffTicketOut }) {
  const { no, owner, owner_id: from, people, state } = ticket
  const [to, setTo] = useState(from ?? '')
  const toast = useToast()
  const say = (text: string) => toast({ tone: 'success', text })
  const take = useStaffChange(staffCalls.staffTakeTicket, { onDone: () => say(t('tickets.taken')), ...ALSO })
  const move = useStaffChange(staffCalls.staffMoveTicket, { onDone: () => say(t('tickets.moved')), ...ALSO })
  const failure = take.error ?? move.error
  const unowned = { value: '', label: t('tickets.no_owner') }
  return (
    <Block title={t('tickets.owner')}>
      <Facts>
        <Fact name={t('tickets.owner')}>{owner ?? t('tickets.no_owner')}</Fact>
      </Facts>
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      {state !== 'closed' && (
        <div className="flex flex-col gap-2 pt-2">
          {from === null && (
            <Button size="m" loading={take.isPending} onClick={() => take.mutate({ params: { no } })}>
              {t('tickets.take')}
            </Button>
          )}
          <div className="flex items-center gap-2">
            <Select
              className="min-w-0 flex-1"
              label={t('tickets.move')}
              options={[unowned, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
              value={to}
              onChange={setTo}
            />
            <Button
              variant="secondary"
              size="m"
              loading={move.isPending}
              disabled={to === (from ?? '')}
              onClick={() => move.mutate({ params: { no }, body: { from, to: to === '' ? null : to } })}
            >
              {t('tickets.move_do')}
            </Button>
          </div>
        </div>
      )}
    </Block>
  )
}
