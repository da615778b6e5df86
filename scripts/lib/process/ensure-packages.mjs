import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './install-packages.mjs'
import { ROOT } from './root.mjs'
import { runNpm } from './run.mjs'
import { say, Stop, step } from './console-output.mjs'

const LOCK = join(ROOT, 'package-lock.json')
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')
/** Contains the hash of the lockfile for which node_modules was last installed. */
const MARK = join(ROOT, 'node_modules/.fairwick-lock')

/** Installs the packages of package-lock.json, unless they are installed. */
export async function ensurePackages() {
  const lock = readFileSync(LOCK)
  const hash = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex')
  if (readOrNothing(MARK) === hash) return
  if (!isInstalled(JSON.parse(lock.toString()))) {
    await step('Installing packages (npm ci)', async () => {
      const problem = await installPackages({ runNpm, say })
      if (problem !== null) throw new Stop(problem)
    })
  }
  writeFileSync(MARK, hash)
}

/** npm records what it installed. Optional packages may be for other systems, so they may be missing. */
function isInstalled(lock) {
  const installed = JSON.parse(readOrNothing(INSTALLED) ?? '{}').packages ?? {}
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  )
}

function readOrNothing(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}
