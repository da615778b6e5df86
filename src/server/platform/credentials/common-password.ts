import { readFileSync } from 'node:fs'
import { projectFile } from '#server/platform/runtime/project-files.ts'

const FILE = projectFile('data/common-passwords.txt')

let common: ReadonlySet<string> | null = null

/** Whether everybody who guesses passwords tries this one: in any case, among the ten thousand most used ones. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(FILE, 'utf8').trim().split('\n'))
  return common.has(password.toLowerCase())
}
