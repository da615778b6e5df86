import Coins from 'lucide-react/icons/coins'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Pill } from '#ui/pill.tsx'
import { SplitBar } from '#ui/split-bar.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useIsOfflineStart } from '#web/live/live-store.ts'
import { toggleAmountsHidden, useAmountsHidden } from '#web/shell/amounts-hidden.ts'
import { ApproxAmount } from '#web/display-rates/approx-amount.tsx'
import type { User } from '#web/session/session.ts'

/** The available balance, and where the other money of the account is. */
export function BalanceCard({ user }: { user: User }) {
  const hidden = useAmountsHidden()
  const isUnknown = useIsOfflineStart()
  const shown = (wire: number) => (isUnknown ? null : moneyOf(wire))
  const amount = (wire: number) => <MoneyText amount={shown(wire)} symbol={user.currency_symbol} hidden={hidden} />
  const weight = (wire: number) => (isUnknown ? 0 : wire)
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="flex items-center text-label font-medium text-fg-2">
          {t('wallet.balance')}
          <IconButton
            label={t(hidden ? 'wallet.show' : 'wallet.hide')}
            aria-pressed={hidden}
            onClick={toggleAmountsHidden}
            icon={
              hidden ? (
                <EyeOff size={17} strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <Eye size={17} strokeWidth={1.75} aria-hidden="true" />
              )
            }
            className="-my-2 text-fg-3"
          />
        </span>
        <Pill tone="brand" icon={<Coins size={13} aria-hidden="true" />}>
          {t('wallet.credits', { amount: isUnknown ? '–' : user.points.toLocaleString('en-US') })}
        </Pill>
      </div>
      <p className="text-wallet [overflow-wrap:anywhere]">
        <MoneyText amount={shown(user.balance)} symbol={user.currency_symbol} hidden={hidden} mutedCents />
      </p>
      {!isUnknown && <ApproxAmount amount={user.balance} hidden={hidden} isLabelled className="block text-small" />}
      <SplitBar
        className="mt-3"
        parts={[
          {
            key: 'available',
            label: t('wallet.available'),
            value: amount(user.balance),
            weight: weight(user.balance),
            tone: 'brand',
          },
          {
            key: 'orders',
            label:
              user.open_orders > 0 && !isUnknown
                ? t('wallet.in_orders', { count: user.open_orders })
                : t('wallet.in_orders'),
            value: amount(user.staked),
            weight: weight(user.staked),
            tone: 'flame',
          },
          {
            key: 'withdrawing',
            label: t('wallet.withdrawing'),
            value: amount(user.withdrawing),
            weight: weight(user.withdrawing),
            tone: 'line',
          },
        ]}
      />
    </Card>
  )
}
