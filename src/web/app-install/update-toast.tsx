import { useEffect } from 'react'
import { useToast } from '#ui/toast.tsx'
import { applyUpdate, useUpdateIsReady } from '#web/app-install/app-worker.ts'
import { hasOpenWork } from '#web/app-install/open-work.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'

/** 10 minutes without a touch: the user is not in the middle of something. */
const IDLE_MS = 10 * 60_000
const TOUCHES = ['pointerdown', 'keydown'] as const

/** Offers a new version once the user has touched nothing for ten minutes, and never while a reload would lose work. */
export function UpdateToast() {
  const isReady = useUpdateIsReady()
  const show = useToast()
  useEffect(() => {
    if (!isReady) return undefined
    const offer = async (): Promise<void> => {
      if (hasOpenWork()) return wait()
      await loadTexts('more')
      const action = { label: t('shell.reload'), onPress: () => void applyUpdate() }
      show({ tone: 'info', text: t('app.new_version'), action })
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => void offer().catch(() => undefined), IDLE_MS)
    }
    wait()
    for (const touch of TOUCHES) addEventListener(touch, wait)
    return () => {
      clearTimeout(timer)
      for (const touch of TOUCHES) removeEventListener(touch, wait)
    }
  }, [isReady, show])
  return null
}
