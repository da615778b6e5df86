import type { LucideIcon } from 'lucide-react/types'
import MoonStar from 'lucide-react/icons/moon-star'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { Button } from '#ui/button.tsx'
import { DirectionArrow } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { actionText } from '#web/screens/trade/action-text.ts'
import type { Closed } from '#web/screens/trade/use-order-form.ts'
import { OpensIn } from '#web/symbols/market-state.tsx'

interface BuySellBarProps {
  /** The direction of the order being sent. */
  sending: Direction | null
  onChoose: (direction: Direction) => void
}

/** The buy and sell buttons, 68 px high with margins, above the bottom bar. */
export function BuySellBar({ sending, onChoose }: BuySellBarProps) {
  return (
    <div className="grid grid-cols-2 gap-2 border-t border-line bg-bg px-4 py-2">
      {([BUY, SELL] as const).map((direction) => (
        <div key={direction} className="@container">
          <Button
            variant={direction === BUY ? 'buy' : 'sell'}
            loading={sending === direction}
            loadingLabel={t('trade.sending')}
            disabled={sending !== null && sending !== direction}
            onClick={() => onChoose(direction)}
            icon={
              <span className="@max-[6.5rem]:hidden">
                <DirectionArrow direction={direction === BUY ? 'up' : 'down'} />
              </span>
            }
            className="h-full gap-2.5 px-3! py-1!"
          >
            <span className="flex flex-col text-start">
              <span className="text-[min(1rem,15cqi)]/[1.125] wrap-anywhere">{actionText(direction)}</span>
              <span className="text-caption/[0.875rem] font-medium">
                {t(direction === BUY ? 'trade.ends_higher' : 'trade.ends_lower')}
              </span>
            </span>
          </Button>
        </div>
      ))}
    </div>
  )
}

interface ClosedBarProps extends Omit<Closed, 'isMarket'> {
  Icon?: LucideIcon
}

/**
 * Shown in place of the two buttons while the market, the symbol or the user's trading is closed, or the connection is
 * lost.
 */
export function ClosedBar({ title, detail, opensInMs, Icon = MoonStar }: ClosedBarProps) {
  return (
    <div className="border-t border-line bg-bg px-4 py-2 md:border-0 md:p-0">
      <div className="flex min-h-13 items-center gap-3 rounded-field bg-surface-2 px-4 py-1.5">
        <Icon size={20} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
        <output className="min-w-0 flex-1">
          <span className="block text-small font-semibold">{title}</span>
          {detail !== '' && <span className="block text-caption text-fg-3">{detail}</span>}
        </output>
        <OpensIn leftMs={opensInMs} />
      </div>
    </div>
  )
}
