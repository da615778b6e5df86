import MessageCircleWarning from 'lucide-react/icons/message-circle-warning'
import type { AboutKind } from '#core/tickets/ticket-rules.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'

/** A link to write a ticket about one order or payment of the user. A blocked user can only read tickets. */
export function WrongLink({ kind, trx }: { kind: AboutKind; trx: string }) {
  if (useSession()?.user.leaving) return null
  return (
    <Link
      href={`/tickets/new?of=${kind}&trx=${trx}`}
      className="hit mt-2 inline-flex items-center gap-1.5 text-label font-semibold text-fg-2 hover:text-fg"
    >
      <MessageCircleWarning size={16} strokeWidth={1.75} aria-hidden="true" />
      {t('tickets.wrong')}
    </Link>
  )
}
