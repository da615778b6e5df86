import { haptics } from '#web/options/options.ts'

/** 20 ms for an accepted order and for every result, so that the vibration does not depend on the result. */
const VIBRATION_MS = 20

export function canVibrate(): boolean {
  return typeof navigator.vibrate === 'function'
}

/** Vibrates if the user enabled it and the device can. */
export function buzz(): void {
  if (haptics.get() === 'on' && canVibrate()) navigator.vibrate(VIBRATION_MS)
}
