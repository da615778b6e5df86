import ArrowDownLeft from 'lucide-react/icons/arrow-down-left'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Gauge from 'lucide-react/icons/gauge'
import Globe from 'lucide-react/icons/globe'
import Headphones from 'lucide-react/icons/headphones'
import Landmark from 'lucide-react/icons/landmark'
import type { LucideIcon } from 'lucide-react/types'
import { useEffect } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Card, SectionLabel } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { formatMoney } from '#ui/format.ts'
import { Header } from '#ui/header.tsx'
import { Link } from '#ui/link.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { withData } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { usePageRows } from '#web/content/page-rows.tsx'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import { ClosedTransactions } from '#web/screens/transaction-history/closed-transactions.tsx'
import { BalanceCard } from '#web/screens/wallet/balance-card.tsx'
import { OwedCard } from '#web/screens/wallet/owed-card.tsx'
import { useAmountsHidden } from '#web/shell/amounts-hidden.ts'
import { AccountMenu } from '#web/shell/account-menu.tsx'
import { Demo } from '#web/shell/headers.tsx'
import { InboxLink } from '#web/shell/inbox-link.tsx'
import { Page } from '#web/shell/page.tsx'
import { refreshUser } from '#web/site/refresh-user.ts'
import { type User, useSession } from '#web/session/session.ts'
import { useDepositsClosed, useShowsDeposits } from '#web/site/settings.ts'
import { useIsDesktop } from '#web/shell/use-is-desktop.ts'
import { DemoFunds } from '#web/tasks/demo-funds.tsx'
import { TasksCard } from '#web/tasks/tasks-card.tsx'
import { UserAvatar } from '#web/shell/user-avatar.tsx'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

export const WalletScreen = withData(Wallet)

function Wallet() {
  const user = useSession()?.user
  const isDesktop = useIsDesktop()
  useEffect(() => void refreshUser(), [])
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page title={t('wallet.title')} header={<WalletHeader user={user} />} width="wide" className="pt-1 pb-6 lg:pt-6">
      <h1 className="sr-only max-lg:hidden">{t('wallet.title')}</h1>
      <div className="md:grid md:grid-cols-2 md:items-start md:gap-6 lg:grid-cols-[360px_minmax(0,1fr)] lg:gap-8">
        <div>
          <BalanceCard user={user} />
          <DemoFunds className="mt-3" />
          <Actions />
          {isDesktop && <Lists user={user} />}
        </div>
        {isDesktop ? (
          <section aria-labelledby="wallet-closed">
            <h2 id="wallet-closed" className="mb-3 text-title">
              {t('wallet.recent')}
            </h2>
            <ClosedTransactions />
          </section>
        ) : (
          <div>
            <Lists user={user} />
          </div>
        )}
      </div>
    </Page>
  )
}

function WalletHeader({ user }: { user: User }) {
  return (
    <Header
      start={
        <div className="flex items-center gap-2.5">
          <UserAvatar user={user} />
          <div className="flex min-w-0 flex-col">
            <h1 className="text-body/[1.25rem] font-semibold wrap-anywhere">
              <Link
                href="/account"
                className="after:absolute after:start-4 after:h-11 after:w-11 after:top-1.5 underline-offset-4 hover:underline"
              >
                {user.username}
              </Link>
            </h1>
            <Demo form="line" />
          </div>
        </div>
      }
      end={
        <>
          <InboxLink tight />
          <AccountMenu user={user} trigger="gear" />
        </>
      }
      className="lg:hidden"
    />
  )
}

function Actions() {
  const whyClosed = useDepositsClosed()
  const depositsAreOpen = whyClosed === null
  return (
    <>
      <SectionLabel>{t('wallet.my_wallet')}</SectionLabel>
      {whyClosed !== null && (
        <Alert tone="info" className="mb-2">
          {whyClosed}
        </Alert>
      )}
      <Card padded={false} className="flex flex-wrap gap-y-3 py-3">
        {depositsAreOpen && <Action href="/deposit" label={t('wallet.deposit')} Icon={ArrowDownToLine} isFirst />}
        <Action href="/withdraw" label={t('wallet.withdraw')} Icon={ArrowUpFromLine} isFirst={!depositsAreOpen} />
        <Action href="/account/withdrawal-methods" label={t('wallet.withdrawal_methods')} Icon={Landmark} />
      </Card>
    </>
  )
}

interface ActionProps {
  href: string
  label: string
  Icon: LucideIcon
  isFirst?: boolean
}

function Action({ href, label, Icon, isFirst = false }: ActionProps) {
  return (
    <Link
      href={href}
      className="flex min-w-min flex-1 flex-col items-center gap-1.5 rounded-chip px-1 text-center text-label font-semibold"
    >
      <span
        className={cx(
          'grid size-11 place-items-center rounded-field',
          isFirst ? 'bg-brand-solid text-on-brand' : 'bg-brand-tint text-brand',
        )}
      >
        <Icon {...ICON} />
      </span>
      {label}
    </Link>
  )
}

function Lists({ user }: { user: User }) {
  const hidden = useAmountsHidden()
  const pageRows = usePageRows()
  const showsDeposits = useShowsDeposits(user)
  return (
    <>
      <SectionLabel className="md:mt-0 lg:mt-3.5">{t('wallet.history')}</SectionLabel>
      <List>
        {showsDeposits && (
          <ListRow icon={<ArrowDownLeft {...ICON} />} label={t('wallet.deposit_history')} href="/history/deposit" />
        )}
        <ListRow
          icon={<ArrowUpRight {...ICON} className="flip" />}
          label={t('wallet.withdrawal_history')}
          value={
            user.withdrawing > 0
              ? t('wallet.pending_amount', { amount: hidden ? '••••' : formatMoney(moneyOf(user.withdrawing)) })
              : undefined
          }
          href="/history/withdrawal"
        />
        <ListRow
          icon={<ArrowLeftRight {...ICON} />}
          label={t('wallet.transaction_history')}
          value={user.open_orders > 0 ? t('wallet.open', { count: user.open_orders }) : undefined}
          href="/history/transaction"
        />
        <ListRow icon={<Gauge {...ICON} />} label={t('screen.limits')} href="/account/limits" />
      </List>
      <SectionLabel>{t('wallet.help')}</SectionLabel>
      <List>
        {user.customer_link !== null && user.customer_link !== '' && (
          <ListRow
            icon={<Headphones {...ICON} />}
            label={t('wallet.customer_service')}
            href={user.customer_link}
            external
          />
        )}
        {pageRows}
        {pageRows !== null && (
          <ListRow
            icon={<Globe {...ICON} />}
            label={t('wallet.language')}
            value={currentLanguage().name}
            href="/languages"
          />
        )}
      </List>
      {/* These cards are last, because their height depends on their data and must not move other content. */}
      {pageRows !== null && (
        <>
          <TasksCard />
          <OwedCard user={user} />
        </>
      )}
    </>
  )
}
