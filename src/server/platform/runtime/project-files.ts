import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The project's folder: the nearest one with a `package.json`, above this file as above `dist/server/main.mjs`, which has it inside. */
function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder)
    throw new Error('The server runs outside of its project: no folder above it has a package.json.')
  return findRoot(above)
}

/** Where a file or folder of the project is, for what is read while the server runs: data, texts, the built apps. */
export function projectFile(path: string): string {
  return join(ROOT, path)
}
