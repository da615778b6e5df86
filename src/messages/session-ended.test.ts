import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LANGUAGE_CODES } from '#messages/languages.ts'

interface Texts {
  readonly profile: { readonly verification: string }
  readonly shell: { readonly session_ended: string }
}

it.each(LANGUAGE_CODES)('F67: the end of a session names a change of the verification as a cause, in %s', (code) => {
  const texts = JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Texts
  expect(texts.shell.session_ended.toLowerCase()).toContain(texts.profile.verification.toLowerCase())
})
