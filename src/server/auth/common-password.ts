import { readFileSync } from 'node:fs'

const FILE = new URL('../../../data/common-passwords.txt', import.meta.url)

let common: ReadonlySet<string> | null = null

/** Whether everybody who guesses passwords tries this one: in any case, among the ten thousand most used ones. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(FILE, 'utf8').trim().split('\n'))
  return common.has(password.toLowerCase())
}
