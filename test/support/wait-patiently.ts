import { vi } from 'vitest'

/** 60 s. Only a failing test waits this long, however busy the machine is. */
export const PATIENCE_MS = 60_000
/** Most waits end within milliseconds. */
export const INTERVAL_MS = 5

type Options = number | { readonly interval?: number; readonly timeout?: number }

const patient = (given: Options = {}) => {
  const { interval = INTERVAL_MS, timeout = 0 } = typeof given === 'number' ? { timeout: given } : given
  return { interval, timeout: Math.max(timeout, PATIENCE_MS) }
}

const { waitFor, waitUntil } = vi
let isPatient = false

/** Raises the default limit of `vi.waitFor` and `vi.waitUntil`, which is one second. */
export function waitPatiently(): void {
  if (isPatient) return
  isPatient = true
  vi.waitFor = (callback, options) => waitFor(callback, patient(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
}
