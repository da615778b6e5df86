import type { StaffTicketOut } from '#contract/back-office/tickets.ts'
import { cx } from '#ui/cx.ts'
import { Pill } from '#ui/pill.tsx'
import { Block } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

/** The messages of a ticket, oldest first. Their text is shown as typed, without formatting. */
export function TicketMessages({ ticket: { messages, username } }: { ticket: StaffTicketOut }) {
  return (
    <Block title={t('tickets.messages')}>
      <ol className="flex flex-col gap-2">
        {messages.map(({ seq, who, words, pictures, verdict, at }) => (
          <li
            key={seq}
            className={cx('rounded-field px-3 py-2', who === null ? 'bg-surface-2' : 'ms-6 border border-line')}
          >
            <p className="flex flex-wrap justify-between gap-x-3 text-caption text-fg-3">
              <b className="font-semibold">{who ?? username}</b>
              <span className="num">{time(at)}</span>
            </p>
            {verdict !== null && <Pill tone="brand">{t(`tickets.verdict_${verdict}`)}</Pill>}
            <p dir="auto" className="break-words whitespace-pre-line">
              {words}
            </p>
            {pictures.length > 0 && (
              <p className="flex flex-wrap gap-2 pt-2">
                {pictures.map((name, nth) => (
                  <Picture key={name} name={name} label={t('tickets.picture', { place: nth + 1, seq })} />
                ))}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Block>
  )
}

function Picture({ name, label }: { name: string; label: string }) {
  const address = `/api/admin/ticket-pictures/${encodeURIComponent(name)}`
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      <img src={address} alt={label} className="h-20 w-20 rounded-small border border-line object-cover" />
    </a>
  )
}
