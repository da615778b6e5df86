import { ok } from '#core/result.ts'
import type { RateOf } from '#server/payments/deposits/gateway-rate.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import type { Pins } from '#server/payments/withdrawals/pins.ts'

/** Nobody mistypes a PIN here: what the PIN guards is simulated, not the guessing of it. */
export const PINS: Pins = { check: () => Promise.resolve(ok()), set: () => Promise.resolve(ok()) }

/** No gateway of the simulation asks for a file. */
export const UPLOADS: Uploads = {
  store: () => Promise.reject(new Error('no files here')),
  claim: () => Promise.resolve(),
  release: () => Promise.resolve(),
  read: () => Promise.resolve(null),
  sweep: () => Promise.resolve(),
}

/** As the operator set it. */
export const RATE_OF: RateOf = (gateway) => gateway.rate
