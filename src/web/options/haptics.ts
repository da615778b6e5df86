import { haptics } from '#web/options/options.ts'

/** What is told by touch, in milliseconds of buzzing and resting. */
const PATTERNS = { accepted: [30], result: [40, 60, 40] } as const

export function canVibrate(): boolean {
  return typeof navigator.vibrate === 'function'
}

/** Buzzes when the user wants that and the device can. Before the first touch browsers refuse, so nobody asks then. */
export function buzz(what: keyof typeof PATTERNS): void {
  if (haptics.get() !== 'on' || !canVibrate()) return
  if ('userActivation' in navigator && !navigator.userActivation.hasBeenActive) return
  navigator.vibrate([...PATTERNS[what]])
}
