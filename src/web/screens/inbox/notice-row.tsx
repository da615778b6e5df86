import ArrowDownLeft from 'lucide-react/icons/arrow-down-left'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Bell from 'lucide-react/icons/bell'
import Gauge from 'lucide-react/icons/gauge'
import ReceiptText from 'lucide-react/icons/receipt-text'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { NOTICE_KINDS } from '#core/accounts/notices.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import type { Reply } from '#web/api/call.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useAmountsHidden } from '#web/shell/amounts-hidden.ts'

const ICONS = {
  deposits: ArrowDownLeft,
  withdrawals: ArrowUpRight,
  orders: ReceiptText,
  results: ReceiptText,
  limits: Gauge,
  alerts: Bell,
  payouts: ReceiptText,
  account: ShieldCheck,
} as const

type Notice = Reply<'GET /user/notices'>['notices'][number]

/** A notice, linked to what it is about. Opening the notice marks the notice as read. */
export function NoticeRow({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const isHidden = useAmountsHidden()
  const Icon = ICONS[NOTICE_KINDS[notice.kind]]
  return (
    <Link
      href={notice.link}
      onClick={() => {
        if (!notice.read) onOpen()
      }}
      className="card flex items-start gap-3 px-4 py-3 transition-colors hover:bg-surface-2"
    >
      <Icon size={20} strokeWidth={1.75} className="mt-0.5 shrink-0 text-fg-2" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className={cx('block', notice.read ? 'text-fg-2' : 'font-semibold')}>{notice.title}</span>
        <span className="block text-small break-words whitespace-pre-line text-fg-2" dir="auto">
          {isHidden ? notice.text.replaceAll(/\d/g, '•') : notice.text}
        </span>
        <span className="mt-1 flex flex-wrap gap-x-3 text-label text-fg-3">
          <span>{dayAndTimeText(Date.parse(notice.at))}</span>
          {!notice.read && <span className="font-semibold text-brand">{t('inbox.unread')}</span>}
        </span>
      </span>
    </Link>
  )
}
