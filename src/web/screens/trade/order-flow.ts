import type { Direction } from '#core/orders/order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-book.ts'

/**
 * Where the user is with an order: idle → form → submitting → running → completing → completed → idle. Several orders
 * may run at once; the flow follows the one on the screen, the others go on without it.
 */
export type OrderFlow =
  | { readonly step: 'idle' }
  | { readonly step: 'form'; readonly direction: Direction; readonly error: string | null }
  | { readonly step: 'submitting'; readonly direction: Direction }
  | { readonly step: 'running'; readonly order: PlacedOrder }
  /** Time is over, the price that proves the result is still to come. */
  | { readonly step: 'completing'; readonly order: PlacedOrder }
  | {
      readonly step: 'completed'
      readonly order: PlacedOrder
      readonly result: OrderResult
      /** Looked at again, not just settled. */
      readonly isReview: boolean
    }

export type FlowEvent =
  | { readonly kind: 'choose'; readonly direction: Direction }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'submit'; readonly direction: Direction }
  | { readonly kind: 'accepted'; readonly order: PlacedOrder }
  /** Without words when its user took it back. */
  | { readonly kind: 'refused'; readonly message: string | null }
  /** Trade on while it runs. */
  | { readonly kind: 'collapse' }
  | { readonly kind: 'show'; readonly order: PlacedOrder }
  /** One that has settled before is looked at again. */
  | { readonly kind: 'review'; readonly order: PlacedOrder; readonly result: OrderResult }
  | { readonly kind: 'expired'; readonly orderId: string }
  | { readonly kind: 'settled'; readonly result: OrderResult }
  | { readonly kind: 'continue' }

export const IDLE: OrderFlow = { step: 'idle' }

/** An event that does not fit where the user is changes nothing: it came late, or is about another order. */
export function nextFlow(flow: OrderFlow, event: FlowEvent): OrderFlow {
  switch (event.kind) {
    case 'choose':
      return flow.step === 'submitting' ? flow : { step: 'form', direction: event.direction, error: null }
    case 'cancel':
      return flow.step === 'form' ? IDLE : flow
    case 'submit':
      return { step: 'submitting', direction: event.direction }
    case 'accepted':
      return flow.step === 'submitting' ? { step: 'running', order: event.order } : flow
    case 'refused':
      return flow.step === 'submitting' ? { step: 'form', direction: flow.direction, error: event.message } : flow
    case 'collapse':
      return flow.step === 'running' || flow.step === 'completing' ? IDLE : flow
    case 'show':
      return flow.step === 'submitting' ? flow : { step: 'running', order: event.order }
    case 'review':
      return flow.step === 'submitting'
        ? flow
        : { step: 'completed', order: event.order, result: event.result, isReview: true }
    case 'expired':
      return flow.step === 'running' && flow.order.id === event.orderId
        ? { step: 'completing', order: flow.order }
        : flow
    case 'settled':
      // The result may be faster than this device's clock.
      return (flow.step === 'running' || flow.step === 'completing') && flow.order.id === event.result.id
        ? { step: 'completed', order: flow.order, result: event.result, isReview: false }
        : flow
    case 'continue':
      return flow.step === 'completed' ? IDLE : flow
    default:
      return flow
  }
}

/** The order the flow is about, if there is one. */
export function orderOf(flow: OrderFlow): PlacedOrder | null {
  return 'order' in flow ? flow.order : null
}
