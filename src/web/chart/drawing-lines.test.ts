import { expect, it } from 'vitest'
import { distance } from '#web/chart/drawing-lines.ts'

it.each([
  ['above the middle', { x: 5, y: 3 }, 3],
  ['beyond the end', { x: 13, y: 4 }, 5],
  ['before the start', { x: -3, y: -4 }, 5],
  ['on the line', { x: 7, y: 0 }, 0],
])('the distance of a point %s is measured to the drawn part of a line', (_, point, expected) => {
  expect(
    distance(point, [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
    ]),
  ).toBe(expected)
})

it('if both ends of a line are the same point, the distance to the line is the distance to this point', () => {
  expect(
    distance({ x: 3, y: 4 }, [
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ]),
  ).toBe(5)
})
