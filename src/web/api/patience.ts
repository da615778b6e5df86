import { networkFailure } from '#web/api/call-failure.ts'

/** Nobody waits longer for a page of figures; what sends something may take its time, it must not be sent twice. */
const GET_WITHIN_MS = 20_000

/** A signal for one request: the caller's own, and for a GET also that it has taken too long. `end` once it is over. */
export function patienceFor(route: string, own: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  const giveUp = () => controller.abort(own?.reason)
  if (own?.aborted === true) giveUp()
  own?.addEventListener('abort', giveUp)
  const timer = route.startsWith('GET ')
    ? setTimeout(() => controller.abort(networkFailure('no answer in time')), GET_WITHIN_MS)
    : undefined
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      own?.removeEventListener('abort', giveUp)
    },
  }
}
