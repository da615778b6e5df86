import { useEffect } from 'react'
import { formatMoney } from '#ui/format.ts'
import { type ToastMessage, useToast } from '#ui/toast.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { claimResult, onResult } from '#web/live/live-client.ts'
import { isOnScreen } from '#web/live/on-screen.ts'
import type { OrderResult } from '#web/live/result-book.ts'
import { useGo } from '#web/shell/navigation.ts'

/** A tab nobody looks at leaves the word to one that is looked at. */
const HIDDEN_WAITS_MS = 500

/** Tells results of orders that are not on the screen, each once in this browser. Draws nothing itself. */
export function ResultToasts() {
  const toast = useToast()
  const go = useGo()

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const announce = (result: OrderResult) => {
      const isFirst = claimResult(result.id)
      if (isFirst && !isOnScreen(result.id)) {
        toast({ ...toastOf(result), action: { label: t('live.open'), onPress: () => go('/history/transaction') } })
      }
    }
    const stop = onResult((result) => {
      if (!document.hidden) {
        announce(result)
        return
      }
      const timer = setTimeout(() => {
        timers.delete(timer)
        announce(result)
      }, HIDDEN_WAITS_MS)
      timers.add(timer)
    })
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [toast, go])

  return null
}

function toastOf({ crypto, result, result_amount, void_reason }: OrderResult): ToastMessage {
  const { symbol } = crypto
  const amount = formatMoney(moneyOf(result_amount), { plus: true })
  if (void_reason) return { tone: 'info', text: t('live.settled_void', { symbol }) }
  if (result === 1) return { tone: 'success', text: t('live.settled_won', { symbol, amount }) }
  // A loss is news, not an error: no alarm about it.
  if (result === 2) return { tone: 'info', text: t('live.settled_lost', { symbol, amount }) }
  return { tone: 'info', text: t('live.settled_draw', { symbol }) }
}
