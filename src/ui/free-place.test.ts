import fc from 'fast-check'
import { expect, it } from 'vitest'
import { freePlace, type Stretch } from '#ui/free-place.ts'

const SCREEN = { top: 56, bottom: 800 }

it('F83: freePlace returns the bottom, or a position above pressable elements there', () => {
  expect(freePlace([], 50, SCREEN)).toBe(750)
  expect(freePlace([{ top: 732, bottom: 784 }], 50, SCREEN)).toBe(682)
  // Two buttons, one above the other, with too little space between them.
  expect(
    freePlace(
      [
        { top: 732, bottom: 784 },
        { top: 670, bottom: 714 },
      ],
      50,
      SCREEN,
    ),
  ).toBe(620)
  // Enough space between them.
  expect(
    freePlace(
      [
        { top: 732, bottom: 784 },
        { top: 600, bottom: 660 },
      ],
      50,
      SCREEN,
    ),
  ).toBe(682)
})

it('F83: freePlace returns null on a screen full of pressable elements', () => {
  expect(freePlace([{ top: 40, bottom: 900 }], 50, SCREEN)).toBeNull()
})

it('F83: freePlace covers nothing and is the lowest such position', () => {
  const stretch = fc
    .tuple(fc.integer({ min: 0, max: 850 }), fc.integer({ min: 1, max: 300 }))
    .map(([top, length]): Stretch => ({ top, bottom: top + length }))
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 8 }), fc.integer({ min: 20, max: 120 }), (obstacles, height) => {
      const isFree = (top: number) => obstacles.every((one) => one.top >= top + height || one.bottom <= top)
      const lowest = Array.from(
        { length: SCREEN.bottom - height - SCREEN.top + 1 },
        (_, at) => SCREEN.top + at,
      ).findLast(isFree)
      expect(freePlace(obstacles, height, SCREEN)).toBe(lowest ?? null)
    }),
    { numRuns: 300 },
  )
})
