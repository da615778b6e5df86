import { useState } from 'react'
import type { StaffTicketOut } from '#contract/back-office/tickets.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MAX_TICKET_WORDS, type Verdict, VERDICTS } from '#core/tickets/ticket-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { useRequestId } from '#back-office/api/use-request-id.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { t } from '#back-office/i18n/t.ts'

const ALSO = { alsoAreas: ['counts'] }

/** The forms for a reply and for a verdict. Each is shown only if this staff member may use it. */
export function TicketReply({ ticket }: { ticket: StaffTicketOut }) {
  return (
    <>
      {ticket.may_answer && <ReplyForm ticket={ticket} />}
      {ticket.may_decide && <VerdictForm ticket={ticket} />}
    </>
  )
}

function ReplyForm({ ticket: { no, last } }: { ticket: StaffTicketOut }) {
  const toast = useToast()
  const words = useWords(last)
  const requestId = useRequestId()
  const answer = useStaffChange(staffCalls.staffAnswerTicket, {
    onDone: () => {
      words.clear()
      toast({ tone: 'success', text: t('tickets.sent') })
    },
    ...ALSO,
  })
  const send = (closes: boolean) => {
    if (!words.check()) return
    const content = { words: words.text.trim(), last, closes }
    answer.mutate({ params: { no }, body: { ...content, request_id: requestId({ no, ...content }) } })
  }
  return (
    <Block title={t('tickets.reply')}>
      <div className="flex flex-col gap-3">
        {answer.error !== null && <Alert tone="danger">{failureText(answer.error)}</Alert>}
        {words.hasNewMessage && <Alert tone="warn">{t('tickets.new_message')}</Alert>}
        <TextArea {...words.field} label={t('tickets.reply')} hint={t('tickets.reply_hint')} />
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="m" disabled={answer.isPending} onClick={() => send(true)}>
            {t('tickets.send_closing')}
          </Button>
          <Button size="m" className="flex-1" loading={answer.isPending} onClick={() => send(false)}>
            {t('tickets.send')}
          </Button>
        </div>
        <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
      </div>
    </Block>
  )
}

function VerdictForm({ ticket: { no, last, about_kind: kind } }: { ticket: StaffTicketOut }) {
  const toast = useToast()
  const words = useWords(last)
  const requestId = useRequestId()
  const [verdict, setVerdict] = useState<Verdict>('correct')
  const decide = useStaffChange(staffCalls.staffDecideTicket, {
    onDone: () => {
      words.clear()
      toast({ tone: 'success', text: t('tickets.decided') })
    },
    ...ALSO,
  })
  const send = () => {
    if (!words.check()) return
    const content = { words: words.text.trim(), last, verdict }
    decide.mutate({ params: { no }, body: { ...content, request_id: requestId({ no, ...content }) } })
  }
  const offered = VERDICTS.filter((one) => one !== 'void' || kind === 'order')
  return (
    <Block title={t('tickets.verdict')}>
      <div className="flex flex-col gap-3">
        {decide.error !== null && <Alert tone="danger">{failureText(decide.error)}</Alert>}
        <p className="text-caption text-fg-2">{t('tickets.verdict_hint')}</p>
        <Select
          label={t('tickets.verdict')}
          options={offered.map((one) => ({ value: one, label: t(`tickets.verdict_${one}`) }))}
          value={verdict}
          onChange={(value) => setVerdict(VERDICTS.find((one) => one === value) ?? 'correct')}
        />
        {words.hasNewMessage && <Alert tone="warn">{t('tickets.new_message')}</Alert>}
        <TextArea {...words.field} label={t('tickets.verdict_words')} />
        <Button size="m" loading={decide.isPending} onClick={send}>
          {t('tickets.decide')}
        </Button>
        <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
      </div>
    </Block>
  )
}

/**
 * Holds the text of a required field, with the error for an empty text. The text stays when a message arrives while it
 * is being written. `last` is the number of the newest message.
 */
function useWords(last: number) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  // The newest message when the text was begun.
  const [begun, setBegun] = useState(last)
  return {
    text,
    hasNewMessage: text !== '' && last !== begun,
    clear: () => setText(''),
    check: () => {
      const isEmpty = text.trim() === ''
      setError(isEmpty ? t('refusal.words_needed') : undefined)
      return !isEmpty
    },
    field: {
      value: text,
      maxLength: MAX_TICKET_WORDS,
      error,
      onChange: (event: { target: { value: string } }) => {
        if (text === '') setBegun(last)
        setText(event.target.value)
        setError(undefined)
      },
    },
  }
}
