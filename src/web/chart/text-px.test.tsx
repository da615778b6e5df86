import { afterEach, expect, test } from 'vitest'
import { chartOptions } from '#web/chart/chart-options.ts'
import { textPx } from '#web/chart/text-px.ts'

afterEach(() => document.documentElement.removeAttribute('style'))

test.each([
  ['16px', 11],
  ['24px', 16.5],
  ['32px', 22],
])('F28: with a text size of %s the texts of the chart have %d px', (chosen, size) => {
  document.documentElement.style.fontSize = chosen
  expect(chartOptions('minutes').layout?.fontSize).toBe(size)
  expect(textPx(22)).toBe(2 * size)
})
