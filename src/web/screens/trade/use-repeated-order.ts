import { useEffect } from 'react'
import type { OrderToRepeat } from '#web/live/order-to-repeat.ts'
import type { FlowEvent } from '#web/screens/trade/order-flow.ts'

/**
 * On phones, opens the order form when the terms of a former order were filled in. The user still has to send the
 * order.
 */
export function useRepeatedOrder(repeated: OrderToRepeat | null, dispatch: (event: FlowEvent) => void): void {
  useEffect(() => {
    if (repeated !== null) dispatch({ kind: 'choose', direction: repeated.direction })
  }, [repeated, dispatch])
}
