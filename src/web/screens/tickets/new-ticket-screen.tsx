import { useState } from 'react'
import { ABOUT_KINDS, type AboutKind, MIN_TICKET_WORDS, TICKET_TOPICS } from '#core/tickets/ticket-rules.ts'
import { Card } from '#ui/card.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { MessageForm } from '#web/screens/tickets/message-form.tsx'
import { aboutText } from '#web/screens/tickets/ticket-text.ts'
import { useGo } from '#web/session/navigation.ts'
import { useHasEmail } from '#web/session/has-email.ts'
import { useAddress } from '#web/session/location.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

export const NewTicketScreen = withData(NewTicket)

/** The form to open a ticket about the order, deposit or withdrawal that the address names, or about the account. */
function NewTicket() {
  const { kind, trx } = readThing(useAddress())
  const hasEmail = useHasEmail()
  return (
    <Page
      title={t('screen.new_ticket')}
      header={<DeepHeader title={t('screen.new_ticket')} parent="/tickets" />}
      className="pt-1 pb-8"
    >
      <Card className="mb-3 flex flex-col gap-1">
        <p className="font-semibold break-words">{aboutText(kind, trx)}</p>
        <p className="text-small text-fg-2">{t(hasEmail ? 'tickets.intro' : 'tickets.intro_here')}</p>
      </Card>
      <TicketForm key={`${kind} ${trx}`} kind={kind} trx={trx} />
    </Page>
  )
}

function TicketForm({ kind, trx }: { kind: AboutKind; trx: string }) {
  const topics = TICKET_TOPICS[kind]
  const [topic, setTopic] = useState<string>(topics[0])
  const hasEmail = useHasEmail()
  const go = useGo()
  const say = useToast()
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={t('tickets.topic')}
        options={topics.map((one) => ({ value: one, label: t(`tickets.topic_${one}`) }))}
        value={topic}
        onChange={setTopic}
      />
      <MessageForm
        label={t('tickets.words')}
        sendLabel={t('tickets.send')}
        minWords={MIN_TICKET_WORDS}
        parts={{ about_kind: kind, about: trx, topic }}
        send={async (form) => {
          const { data } = await call('POST /user/tickets', { form })
          say({ tone: 'success', text: t(hasEmail ? 'tickets.sent' : 'tickets.sent_here') })
          go(`/tickets/${data.ticket.no}`, { replace: true })
        }}
      />
    </div>
  )
}

/** Reads `?of=order&trx=FW-…`. Without a reference the ticket is about the account. */
function readThing(address: string): { kind: AboutKind; trx: string } {
  const query = new URLSearchParams(address.split('?')[1])
  const trx = query.get('trx') ?? ''
  const kind = ABOUT_KINDS.find((one) => one === query.get('of'))
  return trx === '' || kind === undefined || kind === 'account' ? { kind: 'account', trx: '' } : { kind, trx }
}
