import { readFileSync } from 'node:fs'
import { projectFile } from '#server/platform/runtime/project-files.ts'

const FILE = projectFile('data/common-passwords.txt')

let common: ReadonlySet<string> | null = null

/** Whether a password is among the ten thousand most used ones, in any case. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(FILE, 'utf8').trim().split('\n'))
  return common.has(password.toLowerCase())
}
