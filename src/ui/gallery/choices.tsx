import { useState } from 'react'
import { money } from '#core/money/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Chips } from '#ui/chips.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { Pager } from '#ui/pager.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { DirectionArrow } from '#ui/triangle.tsx'
import { Block } from '#ui/gallery/block.tsx'

/** Controls that choose one of several values, and the order form that joins them. */
export function Choices() {
  const [category, setCategory] = useState('crypto')
  const [tab, setTab] = useState('all')
  const [interval, setInterval] = useState('1m')
  const [expiry, setExpiry] = useState<string | null>('5m')
  const [amount, setAmount] = useState('100.00')
  const [page, setPage] = useState(2)
  return (
    <>
      <Block title="Segmented, tabs, chips">
        <Segmented
          label="Category"
          value={category}
          onChange={setCategory}
          options={[
            { value: 'crypto', label: 'Crypto' },
            { value: 'us_stocks', label: 'US stocks' },
            { value: 'us_fx', label: 'Forex' },
          ]}
        />
        <Tabs
          id="list"
          label="List"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'all', label: 'All' },
            { value: 'top', label: 'Top' },
            { value: 'favorites', label: 'Favorites', count: 3 },
          ]}
          end={
            <span className="flex items-center gap-1.5">
              <i className="size-1.5 rounded-full bg-ok" />
              Open 24/7
            </span>
          }
        />
        <TabPanel id="list" value={tab}>
          <Chips
            label="Interval"
            value={interval}
            onChange={setInterval}
            options={['1m', '5m', '30m', '1h', '1d'].map((value) => ({ value, label: value }))}
          />
        </TabPanel>
      </Block>
      <Block title="Order form">
        <Chips
          label="Expiry"
          look="tall"
          value={expiry}
          onChange={setExpiry}
          options={[
            { value: '1m', label: '1 min', detail: '80%' },
            { value: '5m', label: '5 min', detail: '85%' },
            { value: '30m', label: '30 min', detail: '87%' },
            { value: '1h', label: '1 hour', detail: '88%' },
            { value: '1d', label: '1 day', detail: 'closes first', disabled: true },
          ]}
        />
        <AmountField
          label="Stake"
          aside={
            <>
              Balance <MoneyText amount={money(248_050)} className="font-semibold text-fg" />
            </>
          }
          value={amount}
          onChange={setAmount}
          limit={<span className="num">Min $20.00</span>}
        />
        <Chips
          label="Quick amounts"
          look="filled"
          value={amount.replace('.00', '')}
          onChange={(value) => setAmount(`${value}.00`)}
          options={['20', '50', '100', '250', '500'].map((value) => ({ value, label: `$${value}` }))}
        />
        <Button variant="buy" icon={<DirectionArrow direction="up" />}>
          Buy · $100.00 · 5 min
        </Button>
        <div className="grid grid-cols-2 gap-2">
          <Button variant="buy" loading loadingLabel="Sending order">
            Buy
          </Button>
          <Button variant="sell" disabled>
            Sell
          </Button>
        </div>
      </Block>
      <Block title="Pager">
        <Pager
          page={page}
          pageCount={9}
          onChange={setPage}
          labels={{ pager: 'Pages', previous: 'Previous', next: 'Next', page: (number) => `Page ${number}` }}
        />
      </Block>
    </>
  )
}
