import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type DetailsRefusal, readDetails } from '#core/wallet/method-details.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'

/** The submitted fields by label, texts separate from files. */
export interface FilledIn {
  readonly texts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, ReceivedFile>>
}

/** Reads only the fields of the form: a file for a file field, text for every other field. */
export function readFields(
  form: readonly MethodField[],
  given: Readonly<Record<string, string | ReceivedFile>>,
): Result<FilledIn, DetailsRefusal> {
  const entries = Object.entries(given)
  const typed = Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  const texts = readDetails(form, typed, wireName)
  if (!texts.ok) return texts
  const files: [string, ReceivedFile][] = []
  for (const { label, type, is_required: isRequired } of form) {
    if (type !== 'file') continue
    const file = Object.hasOwn(given, label) ? given[label] : undefined
    if (typeof file === 'object') files.push([label, file])
    else if (isRequired) return refuse('field_required', { params: { name: label }, field: wireName(label) })
  }
  return ok({ texts: texts.value, files: Object.fromEntries(files) })
}

function wireName(label: string): string {
  return `fields[${label}]`
}
