import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { clampCrop, MAX_ZOOM, movedBy, sideOf, wholeCrop } from '#web/screens/profile-picture/crop.ts'

const PHOTO = { width: 1_200, height: 800 }

it('a crop starts with the largest square in the middle', () => {
  const crop = wholeCrop(PHOTO)
  expect(crop).toEqual({ x: 600, y: 400, zoom: 1 })
  expect(sideOf(PHOTO, crop)).toBe(800)
})

it('a crop moves by fractions of its side, up to the edge', () => {
  expect(movedBy(PHOTO, wholeCrop(PHOTO), { right: 0.1, down: 0.1 })).toEqual({ x: 680, y: 400, zoom: 1 })
  expect(movedBy(PHOTO, wholeCrop(PHOTO), { right: 9, down: 9 })).toEqual({ x: 800, y: 400, zoom: 1 })
})

it('a moved or zoomed crop never leaves the photo', () => {
  const length = fc.integer({ min: 1, max: 8_000 })
  const place = fc.double({ min: -20_000, max: 20_000, noNaN: true })
  fc.assert(
    fc.property(
      length,
      length,
      place,
      place,
      fc.double({ min: -5, max: 50, noNaN: true }),
      (width, height, x, y, zoom) => {
        const crop = clampCrop({ width, height }, { x, y, zoom })
        const half = sideOf({ width, height }, crop) / 2
        expect(crop.zoom).toBeGreaterThanOrEqual(1)
        expect(crop.zoom).toBeLessThanOrEqual(MAX_ZOOM)
        expect(crop.x - half).toBeGreaterThanOrEqual(-1e-6)
        expect(crop.x + half).toBeLessThanOrEqual(width + 1e-6)
        expect(crop.y - half).toBeGreaterThanOrEqual(-1e-6)
        expect(crop.y + half).toBeLessThanOrEqual(height + 1e-6)
      },
    ),
  )
})
