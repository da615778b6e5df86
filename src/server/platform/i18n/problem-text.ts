import type { z } from 'zod'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'

/** Describes what is wrong with a field, using its label in the back office. */
export function problemText(field: string, issue: z.core.$ZodIssue): string {
  const name = fieldLabel(field)
  switch (issue.code) {
    case 'invalid_type':
      return typeText(name, issue.expected)
    case 'too_small':
      return limitText('small', name, issue.origin, issue.minimum, issue.inclusive === false)
    case 'too_big':
      return limitText('big', name, issue.origin, issue.maximum, issue.inclusive === false)
    case 'not_multiple_of':
      return staffText('problem.multiple', { name, step: issue.divisor })
    case 'invalid_value':
      return staffText('problem.choice', { name })
    case 'invalid_format':
      return formatText(name, issue.format)
    case 'invalid_union': {
      // The last form of a union is the form that staff type. The other forms stand for "none".
      const last = issue.errors.at(-1)?.[0]
      return last === undefined ? staffText('problem.form', { name }) : problemText(field, last)
    }
    case 'custom':
      // The text of a custom rule describes the problem. Without a text the general text is used.
      return issue.message === ZOD_SAYS_NOTHING ? staffText('problem.form', { name }) : `${name} ${issue.message}.`
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
      return staffText('problem.form', { name })
  }
}

const ZOD_SAYS_NOTHING = 'Invalid input'

function typeText(name: string, expected: string): string {
  switch (expected) {
    case 'int':
      return staffText('problem.whole_number', { name })
    case 'number':
      return staffText('problem.number', { name })
    case 'boolean':
      return staffText('problem.on_off', { name })
    default:
      return staffText('problem.form', { name })
  }
}

type Limit = 'small' | 'big'

function limitText(limit: Limit, name: string, origin: string, value: number | bigint, isOpen: boolean): string {
  const params = { name, count: Number(value) }
  if (origin === 'string') {
    return limit === 'small' && params.count <= 1
      ? staffText('problem.required', params)
      : staffText(`problem.letters_${limit}`, params)
  }
  if (origin === 'array' || origin === 'set') return staffText(`problem.entries_${limit}`, params)
  return staffText(isOpen ? `problem.beyond_${limit}` : `problem.number_${limit}`, params)
}

function formatText(name: string, format: string): string {
  switch (format) {
    case 'url':
      return staffText('problem.url', { name })
    case 'email':
      return staffText('problem.email', { name })
    case 'date':
      return staffText('problem.date', { name })
    case 'datetime':
      return staffText('problem.time', { name })
    default:
      return staffText('problem.form', { name })
  }
}
