import { PRACTICE_START } from '#core/accounts/practice.ts'
import { useEffect, useState } from 'react'
import type { MarketList, SymbolItem, TradeSettingOut } from '#contract/markets.ts'
import type { BreakOut } from '#contract/profile.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { Direction } from '#core/orders/order.ts'
import { useStore } from '#ui/state/store.ts'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney } from '#web/session/own-money.tsx'
import { orderRoom, type Room } from '#web/limits/limit-text.ts'
import { useOwnBreak } from '#web/limits/own-break.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { findLastOrder } from '#web/live/last-orders.ts'
import { orderToRepeat, type OrderToRepeat } from '#web/live/order-to-repeat.ts'
import { useConnection, useTradeStatus } from '#web/live/live-store.ts'
import type { MarketClock } from '#web/symbols/market-clock.ts'
import { useMarketClock } from '#web/symbols/use-market-clock.ts'
import { closedText } from '#web/symbols/market-state.tsx'
import {
  type OrderFacts,
  type OrderForm,
  type OrderView,
  readOrderForm,
  recallOrder,
  repeatOrder,
  startForm,
  withFirstExpiry,
} from '#web/screens/trade/order-form.ts'
import { lengthText } from '#web/receipts/order-text.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { useAccount } from '#web/session/account.ts'
import { useOwnBalance } from '#web/site/practice-account.ts'
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
  /** The former order whose terms are filled in; null when the user has changed them. */
  repeated: OrderToRepeat | null
  /** The differences between the filled-in terms and the terms of the former order. Null without differences. */
  note: string | null
  balance: Money
  /** The amount that the user's own limits still allow; null without such limits. */
  room: Room | null
  /** Whether market and symbol are open, so that users with permission can place orders. */
  isOpen: boolean
  /** Whether the connection is lost: nothing can be sent, and prices are frozen. */
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
  // Until the balance of practice is loaded, the form must not say that it is too small. The server decides.
  const balance = useOwnBalance() ?? PRACTICE_START
  const isLive = useAccount() === 'live'
  const liveStatus = useTradeStatus()
  const status = liveStatus ?? { isAllowed: list.trade_status === 1, reason: list.trade_reason }
  const clock = useMarketClock(list, item.market_type)
  const isOpen = clock.isOpen && (item.is_open || item.closed_reason === null)
  const isOffline = useConnection() === 'offline'
  const ownBreak = useOwnBreak()
  const isClosing = (useSession()?.user.closing ?? null) !== null
  // The user's own limits for stakes and losses do not count practice.
  const limits = useOwnLimits().data?.data
  const room = isLive ? orderRoom(limits) : null
  const facts: OrderFacts = {
    settings: list.trade_settings,
    balance,
    isOpen,
    closesAt: list.market_hours[item.market_type].closes_at,
    now: useServerSecond(),
    isAllowed: status.isAllowed && ownBreak === null && !isClosing,
    isConnected: !isOffline,
    isSubmitting,
    ownRoom: room?.left ?? null,
  }
  const [last, setLast] = useState(() => findLastOrder(item.symbol))
  const [filled, setFilled] = useState(() => (last === null ? startForm() : recallOrder(startForm(), last, facts)))
  const wish = useStore(orderToRepeat)
  const [repeated, setRepeated] = useState<OrderToRepeat | null>(null)
  if (wish !== null && wish !== repeated && wish.symbol === item.symbol) {
    setRepeated(wish)
    setLast(null)
    setFilled(repeatOrder(wish, facts))
  }
  // The terms are filled in once: when the same screen is opened later, its form starts as usual.
  useEffect(() => {
    if (repeated !== null) orderToRepeat.set(null)
  }, [repeated])
  const form = withFirstExpiry(filled, facts)
  const view = readOrderForm(form, facts)
  // Balance and limits can change before the user touches a recalled form. In that case the stake is lowered, but never
  // raised.
  const recalled = last !== null && last.settingId === filled.settingId ? last : null
  if (recalled !== null && (view.problem === 'insufficient' || view.problem === 'own_limit')) {
    const lowered = recallOrder(filled, recalled, facts)
    if (lowered.amount !== filled.amount) setFilled(lowered)
  }
  return {
    form,
    view,
    repeated,
    note:
      repeated !== null
        ? repeatNote(repeated, view.setting)
        : recalled !== null && filled.amount !== moneyText(recalled.stake)
          ? t('trade.stake_lowered', { amount: ownMoney(recalled.stake) })
          : null,
    balance,
    isOpen,
    isOffline,
    room,
    closed: ownClosedBar(ownBreak, isClosing) ?? closedBar({ list, item, clock, isOpen, status }),
    setForm: (next) => {
      setLast(null)
      setRepeated(null)
      setFilled(next)
    },
    setDirection: (direction) => setFilled({ ...form, direction }),
  }
}

/** States what has changed since the former order: its duration is no longer offered, or the payout is different. */
function repeatNote({ seconds, payout }: OrderToRepeat, setting: TradeSettingOut | null): string | null {
  if (setting?.time !== seconds) return t('trade.repeat_gone', { length: lengthText(seconds) })
  return setting.profit_percentage === payout
    ? null
    : t('trade.repeat_payout', { now: `${setting.profit_percentage}%`, before: `${payout}%` })
}

/** The text shown in place of the buttons while the user closes the account, or is on a break. */
function ownClosedBar(own: BreakOut, isClosing: boolean): Closed | null {
  if (isClosing) return { title: t('shell.closing'), detail: '', opensInMs: null, isMarket: false }
  if (own === null) return null
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
