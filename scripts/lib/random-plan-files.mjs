import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './process/root.mjs'

const FOLDERS = ['src', 'test', 'drills', 'sim', 'scripts']
/** This file tests the fixed seed itself, so it cannot run with another. */
const ABOUT_THE_SEED = 'test/support/random-plans.test.ts'

/**
 * Lists the test files with a random plan: files that use fast-check or a seed, or import a module of `#test` that uses
 * one.
 */
export function randomPlanFiles() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ).filter((name) => /\.tsx?$/.test(name))
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
  const drawers = new Set(['fast-check', '#test/support/random-plans.ts'])
  const draws = (file) => [...texts.get(file).matchAll(/from '([^']+)'/g)].some(([, from]) => drawers.has(from))
  const shared = files.filter((file) => file.startsWith('test/') && file !== 'test/support/setup.ts' && !isTest(file))
  // Repeats until no further module is found, as one module of `#test` may use another.
  for (let before = 0; before < drawers.size; ) {
    before = drawers.size
    for (const file of shared.filter(draws)) drawers.add(`#${file}`)
  }
  return files.filter((file) => isTest(file) && file !== ABOUT_THE_SEED && draws(file))
}

function isTest(file) {
  return /\.test\.tsx?$/.test(file)
}
