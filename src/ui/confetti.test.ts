import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CONFETTI_COLOURS } from '#ui/confetti.tsx'

/** WCAG 1.4.11: the lowest contrast at which a shape without text is visible. */
const MIN_CONTRAST = 3

it.each(CONFETTI_COLOURS)('F45: confetti of the colour %s is visible on a white card', (token) => {
  const [light = ''] = /:root \{[^}]*\}/.exec(readFileSync('src/ui/styles/tokens.css', 'utf8')) ?? []
  const colourOf = (name: string): string => {
    const value = new RegExp(`${name}: ([^;]+);`).exec(light)?.[1] ?? ''
    const [, other] = /^var\((--[\w-]+)\)$/.exec(value) ?? []
    return other === undefined ? value : colourOf(other)
  }
  // `--up` is `--green`, unless the user has chosen red for rising prices.
  const [ground, piece] = [colourOf('--surface'), colourOf(token === '--up' ? '--green' : token)].map(luminance)
  expect(((ground ?? 0) + 0.05) / ((piece ?? 1) + 0.05)).toBeGreaterThanOrEqual(MIN_CONTRAST)
})

function luminance(hex: string): number {
  const [red = 1, green = 1, blue = 1] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
