import { useEffect, useEffectEvent } from 'react'
import { useIsOnline } from '#ui/state/online.ts'

/** 5 s: short enough to notice a short failure. Each pause is twice as long as the one before, up to five minutes. */
const FIRST_PAUSE_MS = 5_000
const MAX_PAUSE_MS = 300_000

/** Tries to load code again while the network is there. `prepare` resolves to whether the code is available now. */
export function useTryAgain(prepare: () => Promise<boolean>, onReady: () => void): void {
  const isOnline = useIsOnline()
  const tryAgain = useEffectEvent(async () => {
    if (await prepare()) onReady()
  })
  useEffect(() => {
    if (!isOnline) return undefined
    let timer: ReturnType<typeof setTimeout>
    const tryAfter = (pauseMs: number) => {
      timer = setTimeout(() => {
        void tryAgain()
        tryAfter(Math.min(2 * pauseMs, MAX_PAUSE_MS))
      }, pauseMs)
    }
    void tryAgain()
    tryAfter(FIRST_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isOnline])
}
