import { expect, it } from 'vitest'
import { hueOfColor } from '#ui/hue-of-color.ts'

it.each([
  ['#ff0000', 29],
  ['#00ff00', 142],
  ['#0000ff', 264],
  ['#f7931a', 62],
  ['#808080', undefined],
  ['red', undefined],
] as const)('the hue of %s is %s', (color, hue) => {
  const found = hueOfColor(color)
  if (hue === undefined) expect(found).toBeUndefined()
  else expect(Math.abs((found ?? Number.NaN) - hue)).toBeLessThanOrEqual(1)
})
