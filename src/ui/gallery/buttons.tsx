import { useState } from 'react'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { DirectionTile } from '#ui/triangle.tsx'
import { Block } from '#ui/gallery/block.tsx'

/** Buttons, and the sheet and toast that they open. */
export function Buttons() {
  const show = useToast()
  const [sheet, setSheet] = useState<'modal' | 'beside' | null>(null)
  const [vibrates, setVibrates] = useState(true)
  return (
    <Block title="Buttons, sheet, toast">
      <Button>Create account</Button>
      <div className="flex gap-2">
        <ButtonLink href="#a" variant="primary">
          Create account
        </ButtonLink>
        <ButtonLink href="#b" variant="secondary">
          Start trading
        </ButtonLink>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="m">Primary</Button>
        <Button size="m" loading>
          Loading
        </Button>
        <Button size="m" variant="quiet">
          Quiet
        </Button>
        <Button size="m" variant="danger">
          Reject
        </Button>
        <Button size="s" variant="tint">
          Deposit
        </Button>
        <Button size="s" variant="secondary">
          Try again
        </Button>
        <Switch label="Haptics" checked={vibrates} onChange={setVibrates} />
      </div>
      <div className="flex gap-2">
        <Button variant="quiet" size="m" onClick={() => setSheet('modal')}>
          Open sheet
        </Button>
        <Button variant="quiet" size="m" onClick={() => setSheet('beside')}>
          Non-modal
        </Button>
        <Button
          variant="quiet"
          size="m"
          onClick={() =>
            show({
              tone: 'success',
              text: 'ETH order settled: +$35.20',
              action: { label: 'Open', onPress: () => undefined },
            })
          }
        >
          Toast
        </Button>
      </div>
      <Sheet
        open={sheet !== null}
        modal={sheet === 'modal'}
        onClose={() => setSheet(null)}
        title="Buy BTC/USDT"
        subtitle="You win if the price ends above entry"
        mark={<DirectionTile direction="up" />}
        closeLabel="Close"
        footer={<Button variant="buy">Buy · $100.00 · 5 min</Button>}
      >
        <div className="h-40" />
      </Sheet>
    </Block>
  )
}
