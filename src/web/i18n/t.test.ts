import { expect, it, test } from 'vitest'
import { t } from '#web/i18n/t.ts'

it.each([
  [t('common.required', { name: 'Amount' }), 'Amount is Required'],
  [t('wallet.in_orders', { count: 1 }), 'In 1 open order'],
  [t('wallet.in_orders', { count: 2 }), 'In 2 open orders'],
  [t('wallet.in_orders'), 'In open orders'],
])('%s', (text, expected) => {
  expect(text).toBe(expected)
})

test('`t()` keeps a placeholder without a value instead of showing undefined', () => {
  expect(t('common.required')).toBe('{name} is Required')
})
