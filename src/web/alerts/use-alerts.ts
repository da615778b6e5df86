import { useEffect } from 'react'
import type { AlertOut } from '#contract/alerts.ts'
import { call } from '#web/api/call.ts'
import { callKey, queryClient, useCallQuery } from '#web/api/query.tsx'
import { onResync } from '#web/live/live-client.ts'
import { onFiredAlert } from '#web/session/fired-alerts.ts'

/** The price alerts of the user, loaded again when one fires, and when one may have fired without a connection. */
export function useAlerts() {
  useEffect(() => onFiredAlert(reloadAlerts), [])
  useEffect(() => onResync(reloadAlerts), [])
  return useCallQuery('GET /user/alerts', {})
}

/** Whether an alert can still fire. */
export function isRunning({ state }: Pick<AlertOut, 'state'>): boolean {
  return state === 'running' || state === 'cooling'
}

export function reloadAlerts(): void {
  void queryClient.invalidateQueries({ queryKey: callKey('GET /user/alerts') })
}

/**
 * Sets an alert at a level, or moves an alert there. The newest price decides whether the alert fires when the price
 * rises or when it falls to the level. The server refuses the alert if the price has reached the level in the meantime.
 */
export async function placeAlert(
  { symbol, level, alert }: { symbol: string; level: string; alert: AlertOut | null },
  newest: number,
): Promise<void> {
  const kind = Number(level) > newest ? 'above' : 'below'
  if (alert === null) await call('POST /user/alerts', { body: { symbol, kind, level } })
  else {
    const { version, repeats, cool_minutes, expires_at, note } = alert
    await call('POST /user/alerts/:id', {
      params: { id: alert.id },
      body: { version, kind, level, repeats, cool_minutes, expires_at, note },
    })
  }
  reloadAlerts()
}
