import type { Direction } from '#core/orders/order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-store.ts'

/**
 * The user's progress with an order: idle → form → submitting → running → completing → completed → idle. Several orders
 * can be open. The flow is about the order on the screen, and the other orders continue in the background.
 */
export type OrderFlow =
  | { readonly step: 'idle' }
  | { readonly step: 'form'; readonly direction: Direction; readonly error: string | null }
  | { readonly step: 'submitting'; readonly direction: Direction }
  | { readonly step: 'running'; readonly order: PlacedOrder }
  /** The order has expired, but the price that decides the result has not arrived. */
  | { readonly step: 'completing'; readonly order: PlacedOrder }
  | {
      readonly step: 'completed'
      readonly order: PlacedOrder
      readonly result: OrderResult
      /** Whether the user has opened the result again, instead of getting it now. */
      readonly isReview: boolean
      /** Whether the result comes from the list of orders. The server's message, with the balance of then, replaces it. */
      readonly isListed?: boolean
    }

export type FlowEvent =
  | { readonly kind: 'choose'; readonly direction: Direction }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'submit'; readonly direction: Direction }
  | { readonly kind: 'accepted'; readonly order: PlacedOrder }
  /** The message is null when the user cancelled the order. */
  | { readonly kind: 'refused'; readonly message: string | null }
  /** The user returns to the form while the order is open. */
  | { readonly kind: 'collapse' }
  | { readonly kind: 'show'; readonly order: PlacedOrder }
  /** The user opens a result that was settled before. */
  | { readonly kind: 'review'; readonly order: PlacedOrder; readonly result: OrderResult }
  | { readonly kind: 'expired'; readonly orderId: string }
  | { readonly kind: 'settled'; readonly result: OrderResult; readonly isListed?: boolean }
  | { readonly kind: 'continue' }

export const IDLE: OrderFlow = { step: 'idle' }

/**
 * Returns the next state. An event that does not fit the current state changes nothing: such an event is late, or
 * concerns another order.
 */
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
      // The result may arrive before this device's clock reaches the expiry.
      return awaitsResult(flow, event.isListed ?? false) && flow.order.id === event.result.id
        ? {
            step: 'completed',
            order: flow.order,
            result: event.result,
            isReview: false,
            isListed: event.isListed ?? false,
          }
        : flow
    case 'continue':
      return flow.step === 'completed' ? IDLE : flow
    default:
      return flow
  }
}

function awaitsResult(flow: OrderFlow, isListed: boolean): flow is OrderFlow & { readonly order: PlacedOrder } {
  if (flow.step === 'completed') return flow.isListed === true && !isListed
  return flow.step === 'running' || flow.step === 'completing'
}

/** Returns the order that the flow is about; null if there is none. */
export function orderOf(flow: OrderFlow): PlacedOrder | null {
  return 'order' in flow ? flow.order : null
}
