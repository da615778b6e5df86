import { isResult } from '#core/proof/receipt-facts.ts'
import Download from 'lucide-react/icons/download'
import ImageIcon from 'lucide-react/icons/image'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useState } from 'react'
import { bundleText } from '#core/proof/bundle-file.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PinnedAction } from '#ui/pinned-action.tsx'
import { t } from '#web/i18n/t.ts'
import { saveFile } from '#ui/save-file.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { drawnPrices } from '#web/receipts/drawn-prices.ts'
import { HowDecided } from '#web/screens/check/how-decided.tsx'
import { useMiddleOf } from '#web/receipts/use-middle-of.ts'
import { InRegister } from '#web/screens/check/in-register.tsx'
import { OrderDrawing } from '#web/screens/check/order-drawing.tsx'
import { OrderRows } from '#web/screens/check/order-rows.tsx'
import { TicksAround } from '#web/screens/check/ticks-around.tsx'
import { isShareable } from '#web/screens/check/verdict-text.ts'
import { Verdict } from '#web/screens/check/verdict.tsx'
import { latePart } from '#web/parts/late-part.tsx'

const ShareCard = latePart(async () => (await import('#web/screens/check/share-card.tsx')).ShareCard)

interface CheckedOrderProps {
  order: OrderCheck
  /** Whether the check is running again. */
  isRunning: boolean
  onAgain: () => void
}

/** The findings of the check: the verdict, then all facts from which the verdict follows. */
export function CheckedOrder({ order, isRunning, onAgain }: CheckedOrderProps) {
  const { check, bundle, line, next, areKeysOwn, isFromFile } = order
  const { facts } = check
  const ranges = useMiddleOf(isFromFile ? null : facts)
  return (
    <>
      <Verdict check={check} areKeysOwn={areKeysOwn} />
      {facts !== null && (
        <>
          <Card padded={false} className="mt-3 overflow-hidden">
            <OrderDrawing
              facts={facts}
              prices={drawnPrices(check, line, [bundle.entryLog, bundle.exitLog])}
              ranges={ranges}
            />
            <OrderRows facts={facts} next={next} />
          </Card>
          {isResult(facts) && <TicksAround facts={facts} ticks={check.ticks} log={bundle.exitLog} next={next} />}
          {!isFromFile && <InRegister bundle={bundle} trx={facts.trx} />}
          <HowDecided facts={facts} sale={check.sale} kids={check.kids} />
          {isShareable(order) && <SharePicture order={order} />}
        </>
      )}
      <div className="h-4" />
      <PinnedAction>
        <div className="grid grid-cols-2 gap-3">
          <Button
            variant="secondary"
            icon={<Download size={18} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => saveFile(`check-${facts?.trx ?? 'receipt'}.json`, bundleText(bundle, line, next))}
          >
            {t('check.download')}
          </Button>
          <Button
            loading={isRunning}
            icon={<RotateCw size={18} strokeWidth={1.75} aria-hidden="true" />}
            onClick={onAgain}
          >
            {t('check.again')}
          </Button>
        </div>
      </PinnedAction>
    </>
  )
}

/** Loads the code of the picture on the first press. */
function SharePicture({ order }: { order: OrderCheck }) {
  const [use, setUse] = useState<'unused' | 'open' | 'closed'>('unused')
  return (
    <>
      <Button
        variant="quiet"
        size="m"
        className="mt-3"
        icon={<ImageIcon size={18} strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => setUse('open')}
      >
        {t('check.card')}
      </Button>
      {use !== 'unused' && <ShareCard order={order} open={use === 'open'} onClose={() => setUse('closed')} />}
    </>
  )
}
