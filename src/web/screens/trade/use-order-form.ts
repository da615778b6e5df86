import { useState } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import type { BreakOut } from '#contract/profile.ts'
import type { Money } from '#core/money/money.ts'
import type { Direction } from '#core/orders/order.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { orderRoom, type Room } from '#web/limits/limit-text.ts'
import { useOwnBreak } from '#web/limits/own-break.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { useConnection, useTradeStatus } from '#web/live/live-store.ts'
import type { MarketClock } from '#web/symbols/market-clock.ts'
import { useMarketClock } from '#web/symbols/use-market-clock.ts'
import { closedText } from '#web/symbols/market-state.tsx'
import {
  type OrderFacts,
  type OrderForm,
  type OrderView,
  readOrderForm,
  startForm,
  withFirstExpiry,
} from '#web/screens/trade/order-form.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { useSession } from '#web/session/session.ts'

/** The text shown in place of the buttons while no order can be placed. */
export interface Closed {
  title: string
  detail: string
  /** Time to the opening of the market; null if unknown. */
  opensInMs: number | null
  /** Whether the closed part is the market. Other markets may be open. */
  isMarket: boolean
}

export interface OrderFormHandle {
  form: OrderForm
  view: OrderView
  balance: Money
  /** Room of the user's own limits; null without such limits. */
  room: Room | null
  /** Market and symbol are open, so users with permission can place orders. */
  isOpen: boolean
  /** The connection is lost: nothing can be sent, and prices are frozen. */
  isOffline: boolean
  /** The text shown in place of the buttons; null when orders can be placed. */
  closed: Closed | null
  setForm: (form: OrderForm) => void
  setDirection: (direction: Direction) => void
}

/** Returns the reason in one sentence, for the alert above an open form. */
export function closedReason({ title, detail }: Closed): string {
  return detail === '' ? title : `${title}. ${detail}`
}

/** Returns the order form of a symbol with everything it depends on. */
export function useOrderForm(list: MarketList, item: SymbolItem, isSubmitting: boolean): OrderFormHandle {
  const [filled, setForm] = useState<OrderForm>(startForm)
  const balance = moneyOf(useSession()?.user.balance ?? 0)
  const liveStatus = useTradeStatus()
  const status = liveStatus ?? { isAllowed: list.trade_status === 1, reason: list.trade_reason }
  const clock = useMarketClock(list, item.market_type)
  const isOpen = clock.isOpen && (item.is_open || item.closed_reason === null)
  const isOffline = useConnection() === 'offline'
  const ownBreak = useOwnBreak()
  const room = orderRoom(useOwnLimits().data?.data)
  const facts: OrderFacts = {
    settings: list.trade_settings,
    balance,
    isOpen,
    closesAt: list.market_hours[item.market_type].closes_at,
    now: useServerSecond(),
    isAllowed: status.isAllowed && ownBreak === null,
    isConnected: !isOffline,
    isSubmitting,
    ownRoom: room?.left ?? null,
  }
  const form = withFirstExpiry(filled, facts)
  return {
    form,
    view: readOrderForm(form, facts),
    balance,
    isOpen,
    isOffline,
    room,
    closed: ownBreak === null ? closedBar({ list, item, clock, isOpen, status }) : breakBar(ownBreak),
    setForm,
    setDirection: (direction) => setForm({ ...form, direction }),
  }
}

/** Returns the text shown in place of the buttons during a break. */
function breakBar(own: NonNullable<BreakOut>): Closed {
  const date = fullDayText(Date.parse(own.until))
  const title = own.state === 'on' ? t('shell.on_break', { date }) : t('shell.over_break')
  return { title, detail: '', opensInMs: null, isMarket: false }
}

interface ClosedFacts {
  list: MarketList
  item: SymbolItem
  clock: MarketClock
  isOpen: boolean
  status: { isAllowed: boolean; reason: string }
}

function closedBar({ list, item, clock, isOpen, status }: ClosedFacts): Closed | null {
  const title = t('trade.market_closed')
  if (!clock.isOpen) {
    const detail = closedText(list.market_hours[item.market_type])
    return { title, detail, opensInMs: clock.opensInMs, isMarket: true }
  }
  if (!isOpen) {
    const symbol = titleOf(item.symbol, item.market_type)
    return {
      title,
      detail: t('trade.symbol_closed', { symbol, reason: item.closed_reason ?? '' }),
      opensInMs: null,
      isMarket: true,
    }
  }
  if (status.isAllowed) return null
  return { title: t('trade.trade_off', { reason: status.reason }), detail: '', opensInMs: null, isMarket: false }
}
