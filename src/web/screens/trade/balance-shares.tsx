import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TradeSettingOut } from '#contract/markets.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import { Chips } from '#ui/chips.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { balanceShares } from '#web/screens/trade/order-form.ts'

interface BalanceSharesProps {
  balance: Money
  setting: TradeSettingOut
  stake: Money | null
  isDisabled: boolean
  onChange: (amount: string) => void
}

/**
 * Shares of the balance as stakes. Their amounts follow the balance, except while the user points at them or moves
 * through them with the keyboard. A press fills in the amount that is shown.
 */
export function BalanceShares({ balance, setting, stake, isDisabled, onChange }: BalanceSharesProps) {
  const box = useRef<HTMLDivElement>(null)
  const [shownFor, setShownFor] = useState(balance)
  const [pressed, setPressed] = useState<number | null>(null)

  function update(next: Money): void {
    const isHeld = box.current?.matches(':hover') || box.current?.querySelector(':focus-visible')
    if (!isHeld) setShownFor(next)
  }
  const follow = useEffectEvent(update)
  useEffect(() => follow(balance), [balance])

  const shares = balanceShares(shownFor, setting)
  // Several shares can have the maximum as their stake. In this case the pressed share is marked.
  const fitting = shares.filter((share) => share.limit !== 'below_minimum' && share.stake === stake)
  const chosen = fitting.find(({ percent }) => percent === pressed) ?? fitting[0]
  return (
    <>
      <div
        ref={box}
        onPointerLeave={() => update(balance)}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) update(balance)
        }}
      >
        <Chips
          look="tall"
          label={t('trade.balance_shares')}
          value={chosen?.percent ?? null}
          onChange={(percent) => {
            setPressed(percent)
            const share = shares.find((one) => one.percent === percent)
            if (share !== undefined) onChange(moneyText(share.stake))
          }}
          options={shares.map(({ percent, stake: amount, limit }) => ({
            value: percent,
            label: `${percent}%`,
            detail: limit === 'below_minimum' ? t('trade.share_too_small') : spoken(ownMoney(amount)),
            disabled: isDisabled || limit === 'below_minimum',
          }))}
        />
      </div>
      {chosen?.limit === 'above_maximum' && (
        <output className="block text-label text-fg-2">
          {spoken(
            t('trade.share_capped', {
              percent: `${chosen.percent}%`,
              amount: ownMoney(moneyOf(setting.max_amount)),
            }),
          )}
        </output>
      )}
    </>
  )
}
