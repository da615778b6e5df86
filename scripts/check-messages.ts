// `npm run messages`: every text that the code names exists, and every text that exists is named somewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFUSALS } from '#contract/refusals.ts'
import { findMessageUse, flattenMessages, placesIn } from './lib/message-use.ts'

const SOURCE_FOLDERS = ['src/core', 'src/contract', 'src/server', 'src/ui', 'src/web']
const MESSAGES = 'src/messages'

const english = readMessages('en.json')
const sections = [...new Set(Array.from(english.keys(), (key) => key.split('.')[0] ?? ''))]
const problems = [...checkEnglish(), ...checkRefusals(), ...checkTranslations()]

for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? `${english.size} texts, all in use` : `${problems.length} problems with the texts`)
process.exitCode = problems.length === 0 ? 0 : 1

function* checkEnglish(): Generator<string> {
  const used = new Set<string>()
  const prefixes = new Set<string>()
  for (const file of sourceFiles()) {
    const use = findMessageUse(readFileSync(file, 'utf8'), sections)
    for (const key of use.keys) {
      used.add(key)
      if (!english.has(key) && !english.has(`${key}_other`)) yield `${file}: there is no text ${key}`
    }
    for (const prefix of use.prefixes) {
      prefixes.add(prefix)
      if (!someKey((key) => key.startsWith(prefix))) yield `${file}: no text begins with ${prefix}`
    }
  }
  for (const key of english.keys()) {
    const isUsed =
      used.has(key) || used.has(withoutPlural(key)) || [...prefixes].some((prefix) => key.startsWith(prefix))
    if (!isUsed) yield `${MESSAGES}/en.json: nothing uses ${key}`
  }
}

/** Refusals are looked up by their code, so the two lists must be the same. */
function* checkRefusals(): Generator<string> {
  const codes = new Set(Object.keys(REFUSALS))
  for (const code of codes) if (!english.has(`refusal.${code}`)) yield `refusal ${code} has no text`
  for (const key of english.keys()) {
    const code = key.startsWith('refusal.') ? key.slice('refusal.'.length) : undefined
    if (code !== undefined && !codes.has(code)) yield `${MESSAGES}/en.json: no refusal is called ${code}`
  }
}

/** A translation may lack a text, and English stands in; it may not have more, or other places to fill in. */
function* checkTranslations(): Generator<string> {
  for (const name of readdirSync(MESSAGES)) {
    if (!/^[a-z]{2}\.json$/.test(name) || name === 'en.json') continue
    for (const [key, text] of readMessages(name)) {
      // A language may distinguish more plurals than English has.
      const original = english.get(key) ?? english.get(`${withoutPlural(key)}_other`)
      if (original === undefined) yield `${MESSAGES}/${name}: English has no ${key}`
      else if (placesIn(original) !== placesIn(text)) yield `${MESSAGES}/${name}: ${key} has other places than English`
    }
  }
}

/** `orders_few` → `orders`: the name under which the code asks for a plural. */
function withoutPlural(key: string): string {
  return key.replace(/_(?:zero|one|two|few|many|other)$/, '')
}

function readMessages(name: string): Map<string, string> {
  return flattenMessages(JSON.parse(readFileSync(join(MESSAGES, name), 'utf8')))
}

function someKey(fits: (key: string) => boolean): boolean {
  return [...english.keys()].some(fits)
}

function sourceFiles(): string[] {
  return SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  )
}
