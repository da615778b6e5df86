import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import Headphones from 'lucide-react/icons/headphones'
import Scale from 'lucide-react/icons/scale'
import Star from 'lucide-react/icons/star'
import { CardStrip } from '#ui/carousel.tsx'
import { ChangeText, PriceText } from '#ui/figures.tsx'
import { FlashPrice } from '#ui/flash-price.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { Sparkline } from '#ui/sparkline.tsx'
import { SymbolMark } from '#ui/symbol-mark.tsx'
import { SortMark } from '#ui/triangle.tsx'
import { Block, icon } from '#ui/gallery/block.tsx'

const MARKETS = [
  { code: 'BTC', name: 'Bitcoin', price: '67284.1000', change: 2.418, hue: 68, type: 'crypto' },
  { code: 'ETH', name: 'Ethereum', price: '3512.4400', change: 1.207, hue: 275, type: 'crypto' },
  { code: 'XRP', name: 'XRP', price: '2.4127', change: -0.864, hue: 235, type: 'crypto' },
  { code: 'AAPL', name: 'Apple', price: '228.5100', change: 0.311, hue: 30, type: 'us_stocks' },
  { code: 'EUR/USD', name: 'Euro / US dollar', price: '1.0842', change: -0.02, hue: undefined, type: 'us_fx' },
] as const

/** Returns a fixed wavy line, so that screenshots of this page can be compared. */
function wave(seed: number, drift: number): number[] {
  return Array.from({ length: 30 }, (_, i) => 100 + drift * i + 6 * Math.sin(i * 0.9 + seed) + 4 * Math.sin(i * 2.3))
}

/** Rows of markets and of menus. */
export function Lists() {
  return (
    <>
      <Block title="Market rows">
        <CardStrip label="Featured">
          {MARKETS.slice(0, 4).map((market) => (
            <li key={market.code} className="card rounded-field! p-3">
              <Link href="#trade">
                <span className="flex items-center gap-1.5 text-small font-semibold">
                  <SymbolMark code={market.code} marketType={market.type} hue={market.hue} size={24} />
                  {market.code}
                </span>
                <Sparkline
                  points={wave(market.price.length, market.change / 4)}
                  direction={market.change > 0 ? 'up' : 'down'}
                  width={92}
                  height={30}
                />
                <PriceText value={market.price} className="block text-small font-semibold" />
                <ChangeText percent={market.change} className="text-caption!" />
              </Link>
            </li>
          ))}
        </CardStrip>
        <div className="flex items-center justify-end gap-3 text-caption font-list text-fg-3">
          <span className="flex items-center gap-1">
            Price <SortMark sorted={null} />
          </span>
          <span className="flex items-center gap-1">
            Change <SortMark sorted="descending" />
          </span>
        </div>
        {MARKETS.map((market) => (
          <div key={market.code} className="flex h-12 items-center gap-3">
            <SymbolMark code={market.code} marketType={market.type} hue={market.hue} />
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">
                {market.code}
                {market.type === 'crypto' && <span className="text-caption font-medium text-fg-3">/USDT</span>}
              </span>
              <span className="block truncate text-caption text-fg-3">{market.name}</span>
            </span>
            <Sparkline
              points={wave(market.price.length, market.change / 4)}
              direction={market.change > 0 ? 'up' : 'down'}
            />
            <span className="flex w-24 flex-col items-end">
              <FlashPrice value={market.price} className="font-semibold" />
              <ChangeText percent={market.change} className="text-caption!" />
            </span>
            <IconButton
              label="Favorite"
              icon={<Star {...icon} className="fill-brand text-brand" />}
              className="-me-3"
            />
          </div>
        ))}
      </Block>
      <Block title="List rows">
        <List>
          <ListRow icon={<ArrowDownToLine {...icon} />} label="Deposit" href="#d" />
          <ListRow icon={<ArrowUpToLine {...icon} />} label="Withdrawal" value="1 pending" href="#w" />
          <ListRow icon={<Headphones {...icon} />} label="Customer service" href="#c" external />
          <ListRow icon={<Scale {...icon} />} label="How results are decided" detail="Rule version 1" href="#r" />
        </List>
      </Block>
    </>
  )
}
