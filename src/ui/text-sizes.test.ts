import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

/**
 * Matches text sizes and line heights in pixels, as utilities or in a stylesheet. Such sizes do not grow when the user
 * asks for larger text.
 */
const FIXED =
  /(?:text|leading)-\[[0-9.]+px\]|\/\[[0-9.]+px\]|--text-[a-z-]+: [0-9.]+px|(?:font-size|line-height): [0-9.]+px/g

it('F28: no text in the apps has a size in pixels', () => {
  const files = ['ui', 'web', 'back-office']
    .flatMap((app) => readdirSync(SOURCES + app, { recursive: true, encoding: 'utf8' }).map((file) => `${app}/${file}`))
    .filter((file) => /\.(?:tsx|css)$/.test(file) && !/gallery|\.test\./.test(file))
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap(
    (file) =>
      readFileSync(SOURCES + file, 'utf8')
        .match(FIXED)
        ?.map((one) => `${file}: ${one}`) ?? [],
  )
  expect(found).toEqual([])
})
