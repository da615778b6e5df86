import { haptics } from '#web/options/options.ts'

/** Vibration patterns: milliseconds of vibration and pause in turn. */
const PATTERNS = { accepted: [30], result: [40, 60, 40] } as const

export function canVibrate(): boolean {
  return typeof navigator.vibrate === 'function'
}

/** Vibrates if the user enabled it and the device can. Browsers refuse vibration before the first touch. */
export function buzz(what: keyof typeof PATTERNS): void {
  if (haptics.get() !== 'on' || !canVibrate()) return
  if ('userActivation' in navigator && !navigator.userActivation.hasBeenActive) return
  navigator.vibrate([...PATTERNS[what]])
}
