import { Sheet } from '#ui/sheet.tsx'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { useOwnTrades } from '#web/live/use-own-trades.ts'
import { OpenOrderRows } from '#web/shell/open-order-rows.tsx'
import { OpenOrderSums } from '#web/shell/open-order-sums.tsx'
import { useMarketList } from '#web/symbols/use-market-list.ts'

interface OpenOrdersSheetProps {
  open: boolean
  onClose: () => void
  running: readonly PlacedOrder[]
  onShow: (order: PlacedOrder) => void
}

const NOTHING_LISTED = { currencies: [] }
/** 60 s: rows need the list only for pictures and decimals. */
const LIST_MS = 60_000

/** All open orders with their sums, the next to settle first. A press on a row shows the order. */
export function OpenOrdersSheet({ open, onClose, running, onShow }: OpenOrdersSheetProps) {
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.open_orders')} closeLabel={t('common.close')}>
      <Orders
        running={running}
        onShow={(order) => {
          onClose()
          onShow(order)
        }}
      />
    </Sheet>
  )
}

function Orders({ running, onShow }: Pick<OpenOrdersSheetProps, 'running' | 'onShow'>) {
  const list = useMarketList(LIST_MS).data?.data ?? NOTHING_LISTED
  const { trades } = useOwnTrades()
  return (
    <>
      <div className="-mx-2">
        <OpenOrderSums list={list} trades={trades} running={running} />
      </div>
      <OpenOrderRows list={list} trades={trades} running={running} onShow={onShow} />
    </>
  )
}
