import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LANGUAGE_CODES } from '#messages/languages.ts'

type Texts = Readonly<Record<'profile' | 'shell', Readonly<Record<string, string>>>>

it.each(LANGUAGE_CODES)('F67: the end of a session names a change of the verification as a cause, in %s', (code) => {
  const texts = JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Texts
  const [reason, verification] = [texts.shell['session_ended'], texts.profile['verification']]
  expect(reason?.toLowerCase()).toContain(verification?.toLowerCase())
})
