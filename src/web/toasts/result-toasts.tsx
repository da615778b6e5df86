import { useEffect } from 'react'
import { type ToastMessage, useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'
import { claimResult, onResult } from '#web/live/live-client.ts'
import { isOnScreen } from '#web/live/on-screen.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { resultPath, resultText } from '#web/toasts/result-text.ts'
import { keepUnseen } from '#web/live/unseen-results.ts'
import { useGo } from '#web/session/navigation.ts'
import { spoken } from '#web/session/own-money.tsx'

/** 500 ms: a hidden tab waits, so that a visible tab announces the result. */
const HIDDEN_WAITS_MS = 500

/** Announces results of orders that are not on screen, each once per browser, and keeps them until seen. */
export function ResultToasts() {
  const toast = useToast()
  const go = useGo()

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const announce = (result: OrderResult) => {
      const isFirst = claimResult(result.id)
      if (!isFirst || isOnScreen(result.id)) return
      keepUnseen(result)
      toast({
        tone: toneOf(result),
        text: spoken(resultText(result)),
        action: { label: t('live.open'), onPress: () => go(resultPath(result)) },
      })
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

/** A loss is information, not an error, so it has no warning colour. */
function toneOf({ result, void_reason }: OrderResult): ToastMessage['tone'] {
  return result === 1 && !void_reason ? 'success' : 'info'
}
