import { ok } from '#core/result.ts'
import type { RateOf } from '#server/payments/deposits/gateway-rate.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import type { Pins } from '#server/payments/withdrawals/pins.ts'

/** PINs are always correct here. The simulation tests the operations that a PIN protects, not the guessing of PINs. */
export const PINS: Pins = { check: () => Promise.resolve(ok()), set: () => Promise.resolve(ok()) }

/** No gateway of the simulation requests a file. */
export const UPLOADS: Uploads = {
  store: () => Promise.reject(new Error('no files here')),
  claim: () => Promise.resolve(),
  release: () => Promise.resolve(),
  read: () => Promise.resolve(null),
  discard: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
}

/** The rate that the operator set. */
export const RATE_OF: RateOf = (gateway) => gateway.rate
