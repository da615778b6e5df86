import { ButtonLink } from '#ui/button.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { t } from '#web/i18n/t.ts'
import { useIsOfflineStart } from '#web/live/live-store.ts'
import { useAmountsHidden } from '#web/shell/amounts-hidden.ts'
import { useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useOwnBalance } from '#web/site/practice-account.ts'
import { useSession } from '#web/session/session.ts'
import { useDepositsAreOpen } from '#web/site/settings.ts'

/** The balance and a link to deposit. On desktops the top bar shows them instead. */
export function BalanceLine() {
  const user = useSession()?.user
  const hidden = useAmountsHidden()
  const isUnknown = useIsOfflineStart()
  const depositsAreOpen = useDepositsAreOpen()
  const own = useOwnBalance()
  const isLive = useAccount() === 'live'
  if (!user?.ev) return null
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 pb-2 lg:hidden">
      <span className="text-label text-fg-2">
        {t('trade.balance')}{' '}
        {isLive ? (
          <MoneyText
            amount={isUnknown ? null : own}
            symbol={user.currency_symbol}
            hidden={hidden}
            className="text-body font-semibold text-fg"
          />
        ) : (
          <span dir="ltr" className="num text-body font-semibold text-fg">
            {own === null ? '–' : spoken(ownMoney(own))}
          </span>
        )}
      </span>
      {isLive && depositsAreOpen && (
        <ButtonLink href="/deposit" variant="tint" size="s">
          {t('shell.deposit')}
        </ButtonLink>
      )}
    </div>
  )
}
