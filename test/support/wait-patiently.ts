import { expect, vi } from 'vitest'

/** 10 minutes. Only a failing test waits this long, however busy the machine is. */
export const PATIENCE_MS = 600_000
/** 5 ms between two checks, because most waits end within milliseconds. */
export const INTERVAL_MS = 5

type Options = number | { readonly interval?: number; readonly timeout?: number }

const patient = (given: Options = {}) => {
  const { interval = INTERVAL_MS, timeout = 0 } = typeof given === 'number' ? { timeout: given } : given
  return { interval, timeout: Math.max(timeout, PATIENCE_MS) }
}

const { waitFor, waitUntil } = vi
const { poll } = expect
let isPatient = false

/** Raises the limits of `vi.waitFor`, `vi.waitUntil` and `expect.poll`, which are a second by default. */
export function waitPatiently(): void {
  if (isPatient) return
  isPatient = true
  vi.waitFor = (callback, options) => waitFor(callback, patient(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
  expect.poll = (read, { message, ...options } = {}) =>
    poll(read, { ...patient(options), ...(message !== undefined && { message }) })
}
