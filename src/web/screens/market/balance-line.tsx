import { ButtonLink } from '#ui/button.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useIsOfflineStart } from '#web/live/live-store.ts'
import { useAmountsHidden } from '#web/shell/amounts-hidden.ts'
import { useSession } from '#web/session/session.ts'
import { useDepositsAreOpen } from '#web/site/settings.ts'

/** The balance and a link to deposit. On desktops the top bar shows them instead. */
export function BalanceLine() {
  const user = useSession()?.user
  const hidden = useAmountsHidden()
  const isUnknown = useIsOfflineStart()
  const depositsAreOpen = useDepositsAreOpen()
  if (!user?.ev) return null
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 pb-2 lg:hidden">
      <span className="text-label text-fg-2">
        {t('trade.balance')}{' '}
        <MoneyText
          amount={isUnknown ? null : moneyOf(user.balance)}
          symbol={user.currency_symbol}
          hidden={hidden}
          className="text-body font-semibold text-fg"
        />
      </span>
      {depositsAreOpen && (
        <ButtonLink href="/deposit" variant="tint" size="s">
          {t('shell.deposit')}
        </ButtonLink>
      )}
    </div>
  )
}
