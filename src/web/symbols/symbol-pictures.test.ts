import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { picturesOf } from '#web/symbols/built-in-pictures.ts'

const FOLDER = new URL('../art/symbols/', import.meta.url)
const files = ['crypto', 'us_stocks', 'us_fx'].flatMap((folder) =>
  readdirSync(new URL(folder, FOLDER)).map((name) => `${folder}/${name}`),
)
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8')

it.each(files)('%s is small, and neither runs scripts nor loads files when it is opened by itself', (file) => {
  const text = textOf(file)
  expect(text).toMatch(/^<svg [^]*<\/svg>\n$/)
  expect(text).not.toMatch(/<(script|style|foreignObject|image|use|a|animate\w*|set)\b/i)
  expect(text).not.toMatch(/\s(on\w+|href|xlink:href|style|src)=/i)
  expect(text.replaceAll(/url\(#[\w-]+\)/g, '')).not.toMatch(/url\(|@import|&\w+;|<!/)
  expect(text.length).toBeLessThan(6_000)
})

it('the reference page of picture origins lists exactly the built-in files', () => {
  const page = readFileSync(new URL('../../../docs/reference/pictures.md', import.meta.url), 'utf8')
  const listed = Array.from(
    page.matchAll(/^\| `([^`]+\.svg)` \| [^|]+ \| (MIT|CC0 1\.0) \| [^|]+ \|$/gm),
    ([, file]) => file,
  )
  expect(new Set(listed)).toEqual(new Set(files))
  expect(listed).toHaveLength(files.length)
})

it('F41: 29 of the 32 symbols of a new installation have a picture, and the others keep their letter', () => {
  const without = CATALOGUE.filter(({ code, marketType }) => picturesOf(code, marketType).length === 0)
  expect(CATALOGUE).toHaveLength(32)
  expect(without.map(({ code }) => code)).toEqual(['MSFT', 'AMZN', 'SPY'])
})

it('a pair shows two pictures, and a code of another market shows none', () => {
  expect(picturesOf('EURUSD', 'us_fx')).toHaveLength(2)
  expect(picturesOf('EURXXX', 'us_fx')).toEqual([])
  expect(picturesOf('UNI', 'us_stocks')).toEqual([])
})
