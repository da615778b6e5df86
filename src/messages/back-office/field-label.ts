import { backOfficeTexts } from '#messages/back-office/english.ts'
import { findText } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'

/**
 * Names a field as the back office does, in refusals and in the audit log alike: `max_tick_age_ms` or `maxTickAgeMs` is
 * "Maximum price age (ms)". The words of a field without a label are spelled out, so that no screen shows a name of the code.
 */
export function fieldLabel(name: string): string {
  if (isWritten(name)) return capital(name)
  const written = snakeCase(name)
  return knownLabel(written) ?? spelledOut(written)
}

/** Whether a field has a label of its own. */
export function hasFieldLabel(name: string): boolean {
  return isWritten(name) || knownLabel(snakeCase(name)) !== undefined
}

/** Settings have their labels on the page of settings. */
function knownLabel(name: string): string | undefined {
  return textOf(`field.${name}`) ?? textOf(`settings.${name}`)
}

function textOf(key: string): string | undefined {
  return findText(backOfficeTexts, key, {}, LANGUAGES.en)
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function spelledOut(name: string): string {
  return capital(name.replaceAll(/[_:/-]+/g, ' ').trim())
}

/** "text (Deutsch)" is written for people to read. */
function isWritten(name: string): boolean {
  return name.includes(' ')
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
