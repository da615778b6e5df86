import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { fits, type MethodField } from '#core/wallet/method-details.ts'

/** What was filled in, by label: texts and files apart. */
export interface FilledIn {
  readonly texts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, ReceivedFile>>
}

/** Keeps what the form asks for and nothing else: a file where it asks for one, text everywhere else. */
export function readFields(
  form: readonly MethodField[],
  given: Readonly<Record<string, string | ReceivedFile>>,
): Result<FilledIn, 'field_required' | 'field_invalid'> {
  const texts: [string, string][] = []
  const files: [string, ReceivedFile][] = []
  for (const field of form) {
    const { label, type } = field
    const value = Object.hasOwn(given, label) ? given[label] : undefined
    const text = typeof value === 'string' ? value.trim() : ''
    if (type === 'file' && typeof value === 'object') files.push([label, value])
    else if (type !== 'file' && text !== '') {
      if (!fits(field, text)) return refuse('field_invalid', told(label))
      texts.push([label, text])
    } else if (field.is_required) return refuse('field_required', told(label))
  }
  return ok({ texts: Object.fromEntries(texts), files: Object.fromEntries(files) })
}

function told(label: string) {
  return { params: { name: label }, field: `fields[${label}]` }
}
