import { readFileSync } from 'node:fs'
import { projectFile } from '#server/platform/runtime/project-files.ts'

const FILE = projectFile('data/common-passwords.txt')

let common: ReadonlySet<string> | null = null

/** Returns whether a password is among the ten thousand most used passwords, ignoring upper and lower case. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(FILE, 'utf8').trim().split('\n'))
  return common.has(password.toLowerCase())
}
