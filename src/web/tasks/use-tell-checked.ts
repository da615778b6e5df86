import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { groupedNumber } from '#ui/format.ts'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { callKey } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { getSession, updateUser } from '#web/session/session.ts'

/**
 * Reports to the beginner task that the user's own result was recalculated here and matches. Nothing else is reported.
 */
export function useTellChecked(order: OrderCheck | undefined): void {
  const trx = order === undefined ? null : ownResultThatFits(order)
  const toast = useToast()
  const client = useQueryClient()
  const tell = useEffectEvent(async (reference: string) => {
    try {
      const { data } = await call('POST /user/tasks/checked', { body: { trx: reference } })
      updateUser({ points: data.points })
      if (data.paid <= 0) return
      void client.invalidateQueries({ queryKey: callKey('GET /user/tasks') })
      toast({ tone: 'success', text: t('check.task_paid', { amount: groupedNumber(String(data.paid)) }) })
    } catch {
      // The check is valid without the report, and the next check reports again.
    }
  })
  useEffect(() => {
    if (trx !== null && getSession() !== null) void tell(trx)
  }, [trx])
}

/** Only the user who placed the order gets its private part. A check of a file sends no report. */
function ownResultThatFits({ check, bundle, isFromFile }: OrderCheck): string | null {
  const isOwn = bundle.result?.owner !== undefined && !isFromFile
  return isOwn && check.faults.length === 0 && check.facts?.kind === 'result' ? check.facts.trx : null
}
