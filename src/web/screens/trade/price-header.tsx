import type { MarketList, SymbolItem } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { groupedNumber } from '#ui/format.ts'
import { Pill } from '#ui/pill.tsx'
import { clockTime, clockZone } from '#web/i18n/clock.ts'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText, dayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { serverNow } from '#web/live/live-client.ts'
import { useTick } from '#web/live/live-store.ts'
import { openOf, volumeText } from '#web/options/figures.ts'
import { changeSince, volumeUnit } from '#web/options/options.ts'
import { FavoriteButton, SymbolTitle } from '#web/screens/trade/trade-header.tsx'
import { ListedMark, LiveChange, LivePrice } from '#web/symbols/live-figures.tsx'
import { ratioText } from '#web/symbols/split-text.ts'
import { leftText } from '#web/symbols/market-clock.ts'
import { useMarketClock } from '#web/symbols/use-market-clock.ts'
import { Countdown } from '#web/symbols/market-state.tsx'

/** 7 days: as far as a chart of minutes reaches back. */
const SPLIT_SHOWN_MS = 7 * DAY_MS

interface PriceHeaderProps {
  list: MarketList
  item: SymbolItem
  onFavorite: (item: SymbolItem) => void
}

/** The price, its change and the day's figures. A price that is not live is marked with its time. */
export function PriceHeader({ list, item, onFavorite }: PriceHeaderProps) {
  return (
    <>
      <div className="@container px-4 lg:@container-normal lg:flex lg:min-h-17 lg:flex-wrap lg:items-center lg:gap-x-4 lg:gap-y-1 lg:px-5 lg:py-2 min-[1360px]:flex-nowrap">
        <div className="hidden items-center gap-3 lg:flex">
          <ListedMark item={item} size={36} />
          <span>
            <span className="flex items-center">
              <SymbolTitle item={item} className="text-[1.0625rem]/[1.25rem]" />
              <span className="-my-3">
                <FavoriteButton item={item} onFavorite={onFavorite} />
              </span>
            </span>
            <span className="block text-caption text-fg-3">{item.name}</span>
          </span>
        </div>
        <div className="flex flex-wrap items-baseline gap-x-3 pb-2.5 lg:flex-nowrap lg:pb-0">
          <LivePrice item={item} className="text-price lg:text-[1.5rem]" />
          <LiveChange item={item} size="m" />
          <Staleness code={item.symbol} />
          <ClosingSoon list={list} marketType={item.market_type} />
        </div>
        <DayFigures item={item} />
      </div>
      <SplitNotice item={item} />
    </>
  )
}

/** A split that is announced or took effect in the last days. Charts show the earlier prices as they were traded. */
function SplitNotice({ item: { symbol, splits } }: { item: SymbolItem }) {
  const now = serverNow()
  const split = splits.find((one) => one.applies_at > now - SPLIT_SHOWN_MS)
  if (split === undefined) return null
  const params = { symbol, ratio: ratioText(split), time: dayAndTimeText(split.applies_at) }
  return (
    <output className="block px-4 pb-2 text-caption text-fg-2 lg:px-5">
      {t(split.applies_at > now ? 'trade.split_coming' : 'trade.split_past', params)}
    </output>
  )
}

function ClosingSoon({ list, marketType }: { list: MarketList; marketType: MarketType }) {
  const { closesInMs } = useMarketClock(list, marketType)
  if (closesInMs === null) return null
  return (
    <Pill tone="warn">
      <Countdown text={t('market.closes_in', { time: leftText(closesInMs) })} />
    </Pill>
  )
}

function Staleness({ code }: { code: string }) {
  const tick = useTick(code)
  if (!tick?.stale) return null
  return (
    <Pill tone="warn">
      {t('trade.price_stale')} · {asOf(tick.time)}
    </Pill>
  )
}

/** Formats the time of a price, "as of 14:27:08 UTC", with its day if that is not today. */
export function asOf(at: number): string {
  const day = dayText(at)
  const time = day === dayText(serverNow()) ? clockTime(at) : `${day} ${clockTime(at)}`
  return t('trade.price_as_of', { time, zone: clockZone(at) })
}

function DayFigures({ item }: { item: SymbolItem }) {
  const since = changeSince.use()
  const unit = volumeUnit.use()
  const live = useTick(item.symbol)?.price
  const price = (value: number | null) => (value === null ? '–' : groupedNumber(priceTextOf(value, item.decimals)))
  // The list is some seconds old, so a live price above the high or below the low of the day replaces that figure.
  const extreme = (listed: number | null, pick: (...values: number[]) => number) =>
    listed === null || live === undefined ? listed : pick(listed, live)
  const figures = [
    { label: t('trade.high'), value: price(extreme(item.high, Math.max)) },
    { label: t('trade.low'), value: price(extreme(item.low, Math.min)) },
    { label: t('trade.opening'), value: price(openOf(item, since)) },
    {
      label: t(unit === 'money' ? 'trade.amount_24h' : 'trade.volume_24h'),
      value: volumeText(item.volume, live ?? item.price, unit),
    },
  ]
  return (
    // The four figures are in one row or in two rows of two, so that no figure is alone in the second row.
    <dl className="grid grid-cols-2 gap-x-3 gap-y-1 pb-2.5 @[22rem]:flex @[22rem]:flex-wrap @[22rem]:justify-between lg:ms-auto lg:flex lg:flex-wrap lg:gap-x-4 lg:pb-0 min-[1360px]:flex-nowrap">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-micro font-medium text-fg-3">{label}</dt>
          <dd dir="ltr" className="num text-caption font-list">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
