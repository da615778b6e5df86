import { expect, test } from 'vitest'
import { placeRows } from '#web/screens/trade/row-places.ts'

test('F22: a result takes the place of its order', () => {
  const running = placeRows<string>([], ['running'])
  expect(placeRows(running, ['unseen'])).toEqual(['unseen'])
})

test('F22: a row keeps its place when the row below it goes, and the next row takes the free place', () => {
  const both = placeRows(placeRows<string>([], ['running']), ['running', 'unseen'])
  expect(both).toEqual(['running', 'unseen'])
  const gone = placeRows(both, ['unseen'])
  expect(gone).toEqual([null, 'unseen'])
  expect(placeRows(gone, ['running', 'unseen'])).toEqual(['running', 'unseen'])
})

test('F22: an order that loads after an older result does not move it', () => {
  expect(placeRows(placeRows<string>([], ['unseen']), ['running', 'unseen'])).toEqual(['unseen', 'running'])
})

test('F22: the room stays when all rows have gone, and nothing changes without a change', () => {
  const gone = placeRows<string>(['running'], [])
  expect(gone).toEqual([null])
  expect(placeRows(gone, [])).toBe(gone)
})
