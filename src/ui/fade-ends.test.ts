import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

/** Matches the tag of an element that scrolls sideways. */
const STRIP = /<\w+\b[^<]*?className=[^<]*?(?:scroll-x|overflow-x-auto|overflow-auto)\b/g
/** Files whose scrollers need no fades: slides have dots instead, and the list of errors scrolls up and down. */
const WITHOUT = ['ui/carousel.tsx', 'back-office/pages/dashboard/system-panel.tsx']

it('F28: every element that scrolls sideways shows at which ends content is hidden', () => {
  const files = ['ui', 'web', 'back-office']
    .flatMap((app) => readdirSync(SOURCES + app, { recursive: true, encoding: 'utf8' }).map((file) => `${app}/${file}`))
    .filter((file) => file.endsWith('.tsx') && !/gallery|\.test\./.test(file))
  const strips = files.flatMap((file) =>
    (readFileSync(SOURCES + file, 'utf8').match(STRIP) ?? []).map((tag) => ({ file, tag })),
  )
  expect(strips.length).toBeGreaterThan(8)
  const silent = strips.filter(({ tag }) => !tag.includes('ref={fadeEnds}')).map(({ file }) => file)
  expect(silent).toEqual(WITHOUT)
})
