import ArrowDownLeft from 'lucide-react/icons/arrow-down-left'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import ChartLine from 'lucide-react/icons/chart-line'
import Download from 'lucide-react/icons/download'
import ReceiptText from 'lucide-react/icons/receipt-text'
import History from 'lucide-react/icons/rotate-ccw-clock'
import { SectionLabel } from '#ui/card.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'
import { useShowsDeposits } from '#web/site/settings.ts'

export const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Links to the user's records of money and orders. */
export function Histories() {
  const showsDeposits = useShowsDeposits(useSession()?.user)
  return (
    <>
      <SectionLabel>{t('account.history')}</SectionLabel>
      <List>
        {showsDeposits && (
          <ListRow icon={<ArrowDownLeft {...ICON} />} label={t('account.deposit_history')} href="/history/deposit" />
        )}
        <ListRow icon={<ArrowUpRight {...ICON} />} label={t('account.withdrawal_history')} href="/history/withdrawal" />
        <ListRow
          icon={<ArrowLeftRight {...ICON} />}
          label={t('account.transaction_history')}
          href="/history/transaction"
        />
        <ListRow icon={<History {...ICON} />} label={t('account.all_history')} href="/account/history" />
        <ListRow icon={<ChartLine {...ICON} />} label={t('screen.figures')} href="/account/figures" />
        <ListRow icon={<ReceiptText {...ICON} />} label={t('screen.statement')} href="/account/statement" />
        <ListRow icon={<Download {...ICON} />} label={t('screen.data')} href="/account/data" />
      </List>
    </>
  )
}
