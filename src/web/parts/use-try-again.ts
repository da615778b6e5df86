import { useEffect, useEffectEvent } from 'react'
import { useIsOnline } from '#ui/state/online.ts'

/** 5 s: short enough to notice the returning network, long enough to cost little. */
const TRIED_EVERY_MS = 5_000

/** Tries to load code again while the network is there. `prepare` resolves to whether the code is available now. */
export function useTryAgain(prepare: () => Promise<boolean>, onReady: () => void): void {
  const isOnline = useIsOnline()
  const tryAgain = useEffectEvent(async () => {
    if (await prepare()) onReady()
  })
  useEffect(() => {
    if (!isOnline) return undefined
    void tryAgain()
    const timer = setInterval(() => void tryAgain(), TRIED_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOnline])
}
