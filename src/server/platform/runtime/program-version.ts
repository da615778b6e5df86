import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { projectFile } from '#server/platform/runtime/project-files.ts'

const HASH_LETTERS = 16

/**
 * Version and build of this program: the hash of the built server's files, or `source` when it runs from its source.
 */
export function programVersion(main: string = process.argv[1] ?? ''): string {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }
  return `${version} ${basename(main) === 'main.mjs' ? hashOfBuild(dirname(main)) : 'source'}`
}

function hashOfBuild(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith('.mjs')) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, HASH_LETTERS)
}
