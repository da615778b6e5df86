import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idsOf } from '#test/specification/row.ts'

const FOLDERS = ['src', 'test', 'sim', 'drills', 'scripts', 'e2e']
const TEST_FILE = /\.(test|spec)\.tsx?$/
const TITLE_WITH_IDS = /['"`]([A-Z][\w., ]*: )/g

/**
 * Finds the test files whose titles begin with an id of a requirement, by id. Paths are from the project root, sorted.
 */
export function findNamedTests(): ReadonlyMap<string, readonly string[]> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const found = new Map<string, string[]>()
  for (const file of files.filter((path) => TEST_FILE.test(path)).toSorted()) {
    const titles = readFileSync(file, 'utf8').matchAll(TITLE_WITH_IDS)
    for (const id of new Set(Array.from(titles, ([, title = '']) => idsOf(title)).flat()))
      found.set(id, [...(found.get(id) ?? []), file])
  }
  return found
}
