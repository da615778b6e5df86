import { useMemo } from 'react'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { serverNow, useResult } from '#web/live/live-client.ts'
import { latestTick } from '#web/live/live-store.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { useAccount } from '#web/session/account.ts'
import { chartOrders } from '#web/screens/trade/chart-orders.ts'
import type { OrderFormHandle } from '#web/screens/trade/use-order-form.ts'

interface Options {
  running: readonly PlacedOrder[]
  selected: PlacedOrder | null
  /** The form whose order is previewed; null for none. */
  form: OrderFormHandle | null
  symbol: string
}

/** Returns the orders that the chart draws. */
export function useChartOrders({ running, selected, form, symbol }: Options): readonly ChartOrder[] {
  const result = useResult(selected?.id ?? '')
  const ticks = useCallQuery(
    'GET /user/trade/:id',
    { params: { id: selected?.id ?? '' }, query: { account: useAccount() } },
    { enabled: selected !== null && result !== null },
  ).data?.data.ticks
  const seconds = form?.view.setting?.time ?? null
  const direction = form?.form.direction ?? null
  const exitTime = ticks?.exit?.time_ms ?? null

  return useMemo(() => {
    const price = latestTick(symbol)?.price
    const preview =
      seconds === null || direction === null || price === undefined
        ? null
        : { direction, seconds, price, now: serverNow() }
    return chartOrders({ running, selected, result, exitTime, preview })
  }, [running, selected, result, exitTime, seconds, direction, symbol])
}
