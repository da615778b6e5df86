import { readJson } from '#ui/state/browser-storage.ts'
import type { PendingOrder } from '#web/live/pending-orders.ts'
import { getSession } from '#web/session/session.ts'

/** The storage key of `live-client.ts` for orders without a reply yet. */
const PENDING_ORDERS = 'pending_orders'

const changedForms = new Set<HTMLFormElement>()

/** Notes the forms in which the user types or chooses a file. Returns a function that stops it. */
export function watchForms(): () => void {
  document.addEventListener('input', noteChange, true)
  document.addEventListener('submit', noteSubmit, true)
  return () => {
    document.removeEventListener('input', noteChange, true)
    document.removeEventListener('submit', noteSubmit, true)
  }
}

/** Whether a reload would lose work: an order without its reply, or a form that the user has changed and not sent. */
export function hasOpenWork(): boolean {
  for (const form of changedForms) if (!form.isConnected) changedForms.delete(form)
  return changedForms.size > 0 || hasPendingOrder()
}

function hasPendingOrder(): boolean {
  const stored = readJson('sessionStorage', PENDING_ORDERS)
  const userId = getSession()?.user.id
  return Array.isArray(stored) && stored.some((order: Partial<PendingOrder> | null) => order?.userId === userId)
}

function noteChange({ target }: Event): void {
  const form = target instanceof Element ? target.closest('form') : null
  if (form !== null) changedForms.add(form)
}

/** A sent form may stay on the screen, such as the order form of large screens. */
function noteSubmit({ target }: Event): void {
  if (target instanceof HTMLFormElement) changedForms.delete(target)
}
