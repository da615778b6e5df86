import { expect, test } from 'vitest'
import { placeRows } from '#web/screens/trade/row-places.ts'

test('F22: a result takes the place of its order', () => {
  const running = placeRows<string>([], ['running'])
  expect(placeRows(running, ['unseen'])).toEqual(['unseen'])
})

test('F22: a row keeps its place when the row below it disappears, and the next new row takes the free place', () => {
  const both = placeRows(placeRows<string>([], ['running']), ['running', 'unseen'])
  expect(both).toEqual(['running', 'unseen'])
  const gone = placeRows(both, ['unseen'])
  expect(gone).toEqual([null, 'unseen'])
  expect(placeRows(gone, ['running', 'unseen'])).toEqual(['running', 'unseen'])
})

test('F22: a row for an order that loads later does not move the row of a result', () => {
  expect(placeRows(placeRows<string>([], ['unseen']), ['running', 'unseen'])).toEqual(['unseen', 'running'])
})

test('F22: places stay when all rows have disappeared, and the same rows give the same places', () => {
  const gone = placeRows<string>(['running'], [])
  expect(gone).toEqual([null])
  expect(placeRows(gone, [])).toBe(gone)
})
