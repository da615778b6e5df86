// `npm run messages` checks that every text used in the code exists in every language, that every existing text is
// used, and that no visible text is written in the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STAFF_REFUSALS } from '#contract/back-office/staff-refusals.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { PERMISSIONS } from '#core/staff/permissions.ts'
import { backOfficeTexts } from '#messages/back-office/english.ts'
import { flattenMessages } from '#messages/check-text.ts'
import { FALLBACK_LANGUAGE, LANGUAGE_CODES, LANGUAGES } from '#messages/languages.ts'
import { checkTranslation } from './lib/check-translation.ts'
import { findMessageUse } from './lib/message-use.ts'
import { findVisibleText } from './lib/visible-text.ts'

const SCREEN_FOLDERS = ['src/ui', 'src/web', 'src/back-office']
const MESSAGES = 'src/messages'
/** The folder of the page for developers that shows all components; not part of the app. */
const GALLERY = 'src/ui/gallery/'
/** Names and units that are the same in every language. */
const NO_TEXT = new Set(['Fairwick', 'HA', 'UTC', 'USDT', 'USD'])

/** Some permissions have the form of a text key. */
const NOT_TEXTS = new Set<string>(Object.keys(PERMISSIONS))

const english = readMessages('en.json')
const backOffice = flattenMessages(backOfficeTexts)
const problems = [
  ...checkEnglish({
    texts: english,
    from: `${MESSAGES}/en.json`,
    folders: ['src/core', 'src/contract', 'src/server', 'src/ui', 'src/web'],
    refusals: Object.keys(REFUSALS),
  }),
  ...checkEnglish({
    texts: backOffice,
    from: `${MESSAGES}/back-office/en`,
    folders: ['src/back-office', 'src/server/back-office/api', 'src/server/platform/i18n', 'src/messages/back-office'],
    refusals: Object.keys(STAFF_REFUSALS),
  }),
  ...checkTranslations(),
  ...checkVisibleText(),
]

for (const problem of problems) console.error(problem)
const count = english.size + backOffice.size
console.log(problems.length === 0 ? `${count} texts, all in use` : `${problems.length} problems with the texts`)
process.exitCode = problems.length === 0 ? 0 : 1

interface Catalogue {
  readonly texts: ReadonlyMap<string, string>
  readonly from: string
  /** The source folders that use the catalogue. */
  readonly folders: readonly string[]
  /** Refusal texts are found by the code of the refusal, so both lists must be equal. */
  readonly refusals: readonly string[]
}

function* checkEnglish({ texts, from, folders, refusals }: Catalogue): Generator<string> {
  const sections = [...new Set(Array.from(texts.keys(), (key) => key.split('.')[0] ?? ''))]
  const used = new Set<string>()
  const prefixes = new Set<string>()
  for (const file of filesIn(folders)) {
    const use = findMessageUse(readFileSync(file, 'utf8'), sections)
    for (const key of use.keys) {
      used.add(key)
      if (!texts.has(key) && !texts.has(`${key}_other`) && !NOT_TEXTS.has(key)) yield `${file}: there is no text ${key}`
    }
    for (const prefix of use.prefixes) {
      prefixes.add(prefix)
      if (![...texts.keys()].some((key) => key.startsWith(prefix))) yield `${file}: no text begins with ${prefix}`
    }
  }
  for (const key of texts.keys()) {
    const isUsed =
      used.has(key) || used.has(withoutPlural(key)) || [...prefixes].some((prefix) => key.startsWith(prefix))
    if (!isUsed) yield `${from}: nothing uses ${key}`
  }
  yield* checkRefusals(texts, from, new Set(refusals))
}

function* checkRefusals(
  texts: ReadonlyMap<string, string>,
  from: string,
  codes: ReadonlySet<string>,
): Generator<string> {
  for (const code of codes) if (!texts.has(`refusal.${code}`)) yield `refusal ${code} has no text`
  for (const key of texts.keys()) {
    const code = key.startsWith('refusal.') ? key.slice('refusal.'.length) : undefined
    if (code !== undefined && !codes.has(code)) yield `${from}: no refusal is called ${code}`
  }
}

function* checkTranslations(): Generator<string> {
  for (const code of LANGUAGE_CODES) {
    if (code === FALLBACK_LANGUAGE) continue
    const name = `${code}.json`
    const texts = existsSync(join(MESSAGES, name)) ? readMessages(name) : new Map<string, string>()
    const { wrong, missing } = checkTranslation(english, texts, LANGUAGES[code].tag)
    for (const problem of wrong) yield `${MESSAGES}/${name}: ${problem}`
    for (const key of missing) yield `${MESSAGES}/${name}: there is no ${key}`
  }
}

function* checkVisibleText(): Generator<string> {
  for (const file of filesIn(SCREEN_FOLDERS)) {
    if (file.startsWith(GALLERY)) continue
    for (const { line, text } of findVisibleText(file, readFileSync(file, 'utf8'), NO_TEXT)) {
      yield `${file}:${line}: ${JSON.stringify(text)} belongs into ${MESSAGES}`
    }
  }
}

/** Returns the key under which the code requests a plural: `orders_few` → `orders`. */
function withoutPlural(key: string): string {
  return key.replace(/_(?:zero|one|two|few|many|other)$/, '')
}

function readMessages(name: string): Map<string, string> {
  return flattenMessages(JSON.parse(readFileSync(join(MESSAGES, name), 'utf8')))
}

function filesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  )
}
