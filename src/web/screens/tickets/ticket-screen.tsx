import { useEffect } from 'react'
import type { TicketOut } from '#contract/tickets.ts'
import { Button } from '#ui/button.tsx'
import { Card, SectionLabel } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { OutcomePill, Pill } from '#ui/pill.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { MessageForm } from '#web/screens/tickets/message-form.tsx'
import { aboutText, STATE_OUTCOME } from '#web/screens/tickets/ticket-text.ts'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { onNewNotice } from '#web/session/new-notices.ts'
import { useSession } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { serverNowMs } from '#web/site/settings.ts'

export const TicketScreen = withData(Ticket)

/** One ticket: the order, payment or account that it is about, its messages, and a form for another message. */
function Ticket({ params }: ScreenProps) {
  const no = params['no'] ?? ''
  const isBlocked = Boolean(useSession()?.user.leaving)
  const query = useCallQuery('GET /user/tickets/:no', { params: { no } })
  const { refetch } = query
  useEffect(() => onNewNotice(() => void refetch()), [refetch])
  const ticket = query.data?.data.ticket
  const reload = async () => {
    await refetch()
  }
  return (
    <Page
      title={t('screen.ticket')}
      header={<DeepHeader title={t('screen.ticket')} parent="/tickets" />}
      className="pt-1 pb-8"
    >
      <ListStates query={query} isEmpty={ticket === undefined} emptyText={t('tickets.empty')}>
        {ticket && (
          <>
            <TicketHead ticket={ticket} />
            <Messages ticket={ticket} />
            {!isBlocked && <Reply key={sentBy(ticket)} ticket={ticket} onDone={reload} />}
          </>
        )}
      </ListStates>
    </Page>
  )
}

/** How many messages the user has sent: only a message of the user's own empties the form. */
function sentBy({ messages }: TicketOut): number {
  return messages.filter(({ by }) => by === 'user').length
}

function TicketHead({ ticket }: { ticket: TicketOut }) {
  const { about_kind: kind, about, verdict } = ticket
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0 flex-[1_1_12rem]">
          <h2 className="text-heading">{t(`tickets.topic_${ticket.topic}`)}</h2>
          <p className="text-small break-words text-fg-2">{aboutText(kind, about)}</p>
          <p className="text-label text-fg-3">
            <span className="mono">{ticket.no}</span>
          </p>
        </div>
        <OutcomePill outcome={STATE_OUTCOME[ticket.state]}>{t(`tickets.state_${ticket.state}`)}</OutcomePill>
      </div>
      {kind !== 'account' && <CheckLink trx={about} isMoney={kind !== 'order'} />}
      {verdict !== null && (
        <div className="mt-3 border-t border-line pt-3">
          <p className="font-semibold">{t(`tickets.verdict_${verdict}`)}</p>
          {kind === 'order' && <p className="text-small text-fg-2">{t('tickets.verdict_hint')}</p>}
        </div>
      )}
    </Card>
  )
}

function Messages({ ticket: { messages } }: { ticket: TicketOut }) {
  return (
    <ol className="mt-3 flex flex-col gap-2">
      {messages.map(({ seq, by, words, pictures, verdict, at }) => (
        <li
          key={seq}
          className={cx(
            'rounded-card px-4 py-3',
            by === 'user' ? 'ms-8 bg-surface-2' : 'me-8 border border-line bg-surface',
          )}
        >
          <p className="flex flex-wrap justify-between gap-x-3 text-label text-fg-3">
            <b className="font-semibold text-fg-2">{t(by === 'user' ? 'tickets.you' : 'tickets.staff')}</b>
            <span className="tabular-nums">{dayAndTimeText(Date.parse(at))}</span>
          </p>
          {verdict !== null && (
            <p className="mt-1">
              <Pill tone="brand">{t(`tickets.verdict_${verdict}`)}</Pill>
            </p>
          )}
          <p dir="auto" className="mt-1 text-small break-words whitespace-pre-line">
            {words}
          </p>
          {pictures > 0 && <p className="mt-1 text-label text-fg-2">{t('tickets.pictures', { number: pictures })}</p>}
        </li>
      ))}
    </ol>
  )
}

function Reply({ ticket, onDone }: { ticket: TicketOut; onDone: () => Promise<void> }) {
  const { no, reopens_until: until } = ticket
  const isOver = until !== null && Date.parse(until) < serverNowMs()
  if (isOver) return <p className="mt-4 text-small text-fg-2">{t('tickets.over')}</p>
  return (
    <section className="mt-2">
      <SectionLabel>{t('tickets.reply')}</SectionLabel>
      {until !== null && (
        <p className="mb-2 px-0.5 text-small text-fg-2">
          {t('tickets.reopen', { time: dayAndTimeText(Date.parse(until)) })}
        </p>
      )}
      <MessageForm
        label={t('tickets.reply')}
        sendLabel={t('tickets.write')}
        minWords={1}
        send={async (form) => {
          await call('POST /user/tickets/:no/messages', { params: { no }, form })
          await onDone()
        }}
      />
      {ticket.state !== 'closed' && <CloseForm no={no} onDone={onDone} />}
    </section>
  )
}

function CloseForm({ no, onDone }: { no: string; onDone: () => Promise<void> }) {
  const say = useToast()
  const form = useForm({
    initial: {},
    validate: () => ({}),
    submit: async () => {
      await call('POST /user/tickets/:no/close', { params: { no } })
      say({ tone: 'success', text: t('tickets.closed') })
      await onDone()
    },
  })
  return (
    <form onSubmit={form.onSubmit} className="mt-3 flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <Button type="submit" variant="quiet" size="m" loading={form.busy}>
        {t('tickets.close')}
      </Button>
    </form>
  )
}
