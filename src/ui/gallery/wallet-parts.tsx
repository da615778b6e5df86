import Eye from 'lucide-react/icons/eye'
import { money } from '#core/money/money.ts'
import { Card } from '#ui/card.tsx'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { ChangeText, MoneyText, PriceText } from '#ui/figures.tsx'
import { OutcomeDisc, OutcomePill, Pill } from '#ui/pill.tsx'
import { SplitBar } from '#ui/split-bar.tsx'
import { Block } from '#ui/gallery/block.tsx'

/** Balances, countdowns and outcomes. */
export function WalletParts() {
  return (
    <Block title="Balance card, ring, pills">
      <Card>
        <div className="flex items-center justify-between">
          <span className="flex items-center gap-1.5 text-label font-medium text-fg-2">
            Balance <Eye size={16} strokeWidth={1.75} className="text-fg-3" />
          </span>
          <Pill tone="brand">1,250 credits</Pill>
        </div>
        <MoneyText amount={money(256_550)} mutedCents className="block text-wallet" />
        <SplitBar
          className="mt-3.5"
          parts={[
            { key: 'a', label: 'Available', value: <MoneyText amount={money(256_550)} />, weight: 2565, tone: 'brand' },
            {
              key: 'b',
              label: 'In 2 open orders',
              value: <MoneyText amount={money(22_000)} />,
              weight: 220,
              tone: 'flame',
            },
            { key: 'c', label: 'Withdrawing', value: <MoneyText amount={money(25_000)} />, weight: 250, tone: 'line' },
          ]}
        />
      </Card>
      <Card className="flex items-center gap-4">
        <CountdownRing fraction={0.56}>
          <span className="num text-[1.625rem]/[1.15] font-semibold tracking-[-.02em]">2:47</span>
          <span className="text-micro text-fg-3">of 5 min</span>
        </CountdownRing>
        <div className="flex flex-wrap gap-1.5">
          <OutcomePill outcome="won">Won</OutcomePill>
          <OutcomePill outcome="lost">Lost</OutcomePill>
          <OutcomePill outcome="draw">Draw</OutcomePill>
          <OutcomePill outcome="void">Void</OutcomePill>
          <OutcomePill outcome="pending">Pending</OutcomePill>
          <OutcomePill outcome="rejected">Rejected</OutcomePill>
          <Pill>bot</Pill>
          <OutcomeDisc outcome="won" />
          <OutcomeDisc outcome="lost" />
          <CountdownRing fraction={0.3} size={18} stroke={3} />
        </div>
      </Card>
      <p className="flex items-baseline gap-3">
        <PriceText value="67284.1000" className="text-price" />
        <ChangeText percent={2.418} size="m" />
      </p>
    </Block>
  )
}
