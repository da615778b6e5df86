import { backOfficeTexts } from '#messages/back-office/english.ts'
import { findText } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'

/**
 * Returns the label of a field for refusals and the audit log: `max_tick_age_ms` and `maxTickAgeMs` give "Maximum price
 * age (ms)". A field without a label is spelled out, so that no screen shows a name from the code.
 */
export function fieldLabel(name: string): string {
  if (isWritten(name)) return capital(name)
  const written = snakeCase(name)
  return knownLabel(written) ?? spelledOut(written)
}

/** Whether a field has a written label, so that `fieldLabel` does not spell out its name. */
export function hasFieldLabel(name: string): boolean {
  return isWritten(name) || knownLabel(snakeCase(name)) !== undefined
}

/** Finds the label of a field, or of a setting. The labels of settings are among the texts of the settings page. */
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

/** Names with a space, such as "text (Deutsch)", are already written for people. */
function isWritten(name: string): boolean {
  return name.includes(' ')
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
