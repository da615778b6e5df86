import type { StaffTicketOut } from '#contract/back-office/tickets.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Link } from '#ui/link.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { TicketEvidence } from '#back-office/pages/tickets/ticket-evidence.tsx'
import { TicketMessages } from '#back-office/pages/tickets/ticket-messages.tsx'
import { TicketOwner } from '#back-office/pages/tickets/ticket-owner.tsx'
import { TicketReply } from '#back-office/pages/tickets/ticket-reply.tsx'
import { TicketState } from '#back-office/pages/tickets/ticket-state.tsx'
import { Remarks } from '#back-office/queues/remarks.tsx'
import { useMay } from '#back-office/session/staff.ts'

/**
 * One ticket: its messages, the evidence about its order or payment, and the actions that this staff member may take.
 */
export function TicketDetail({ no, onClose }: { no: string; onClose: () => void }) {
  const ticket = useStaffQuery(staffCalls.staffTicket, { params: { no } })
  const { data } = ticket
  const remark = useStaffChange(staffCalls.staffRemarkTicket)
  return (
    <DetailPane title={<span className="mono">{no}</span>} subtitle={data?.username} query={ticket} onClose={onClose}>
      {data && (
        <>
          <TicketFacts ticket={data} />
          <TicketOwner ticket={data} />
          <TicketMessages ticket={data} />
          {data.about_kind !== 'account' && <TicketEvidence no={no} />}
          <TicketReply key={data.no} ticket={data} />
          <Remarks
            remarks={data.remarks}
            onAdd={(text) => remark.mutateAsync({ params: { no: data.no }, body: { text } })}
          />
        </>
      )}
    </DetailPane>
  )
}

const PAGE = { order: '/orders', deposit: '/deposits', withdrawal: '/withdrawals' } as const

function TicketFacts({ ticket }: { ticket: StaffTicketOut }) {
  const { about_kind: kind, about, due_at: due, closed_by: closedBy, verdict } = ticket
  const maySeeUsers = useMay('users.see')
  return (
    <Block title={t('tickets.about')}>
      <Facts>
        <Fact name={t(`tickets.about_${kind}`)}>
          {kind !== 'account' ? (
            <Link href={`/admin${PAGE[kind]}/${about}`} className="mono text-brand hover:underline">
              {about}
            </Link>
          ) : maySeeUsers ? (
            <Link href={`/admin/users/${ticket.user_id}`} className="text-brand hover:underline">
              {t('tickets.open_user')}
            </Link>
          ) : (
            ticket.username
          )}
        </Fact>
        <Fact name={t('tickets.topic')}>{t(`tickets.topic_${ticket.topic}`)}</Fact>
        <Fact name={t('tickets.state')}>
          <TicketState state={ticket.state} />
        </Fact>
        {closedBy !== null && <Fact name={t('tickets.closed')}>{t(`tickets.closed_${closedBy}`)}</Fact>}
        {due !== null && (
          <Fact name={t('tickets.due')}>
            <span className={ticket.is_overdue ? 'font-semibold text-warn' : undefined}>{time(due)}</span>
          </Fact>
        )}
        {verdict !== null && <Fact name={t('tickets.verdict')}>{t(`tickets.verdict_${verdict}`)}</Fact>}
      </Facts>
    </Block>
  )
}
