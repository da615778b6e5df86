import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))

/**
 * The project's folder: the nearest parent folder with a `package.json`. This works from this file and from
 * `dist/server/main.mjs`.
 */
function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder)
    throw new Error('The server runs outside of its project: no folder above it has a package.json.')
  return findRoot(above)
}

/** The path of a project file that is read at run time: data, texts, the built apps. */
export function projectFile(path: string): string {
  return join(ROOT, path)
}
