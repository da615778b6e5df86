import type { SymbolItem } from '#contract/markets.ts'
import { formatVolume, groupedNumber } from '#ui/format.ts'
import type { ChangeSince, VolumeUnit } from '#web/options/options.ts'

export type DayOpens = Pick<SymbolItem, 'open' | 'open_hkt' | 'open_utc'>

/** Returns the price that the change is relative to. */
export function openOf(item: DayOpens, since: ChangeSince): number | null {
  switch (since) {
    case 'hkt':
      return item.open_hkt
    case 'utc':
      return item.open_utc
    default:
      return item.open
  }
}

/** Returns the change in percent since the chosen time. For 24 hours it is the server's figure. */
export function changeOf(
  item: DayOpens & Pick<SymbolItem, 'change' | 'price'>,
  since: ChangeSince,
  live?: { readonly price: number; readonly change: number } | null,
): number | null {
  if (since === '24h') return live?.change ?? item.change
  const open = openOf(item, since)
  const price = live?.price ?? item.price
  if (open === null || price === null || open <= 0) return null
  return Math.round(((price - open) / open) * 100_000) / 1_000
}

const MILLION = 1_000_000
const BILLION = 1_000_000_000

/** Formats a volume in the chosen unit. Amounts of money of a million or more are shortened. */
export function volumeText(volume: number | null, price: number | null, unit: VolumeUnit): string {
  if (volume === null || (unit === 'money' && price === null)) return '–'
  if (unit === 'mass') return formatVolume(volume)
  const amount = volume * (price ?? 0)
  if (amount >= BILLION) return `${groupedNumber((amount / BILLION).toFixed(3))}B`
  return amount >= MILLION ? `${groupedNumber((amount / MILLION).toFixed(3))}M` : groupedNumber(amount.toFixed(2))
}
