import { expect, it } from 'vitest'
import { readDeliveryFailure } from '#core/alerts/delivery-failure.ts'

it.each([
  ['status 500', 'status', '500'],
  ['timeout', 'timeout', ''],
  ['not_found', 'not_found', ''],
  ['EAUTH', 'mail', ''],
  ['', 'mail', ''],
])('readDeliveryFailure reads the failure %j as %s with the status %j', (code, name, status) => {
  expect(readDeliveryFailure(code)).toEqual({ name, status })
})
