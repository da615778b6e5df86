import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { STAFF_WORDS } from '#server/back-office/api/staff-replies.ts'
import { readInput } from '#server/platform/http/read-input.ts'

const FORMS: readonly (readonly [path: string, call: StaffCall, fields: readonly string[]])[] = Object.values(
  staffCalls as Readonly<Record<string, StaffCall>>,
).flatMap((call) =>
  call.body instanceof z.ZodObject ? [[call.path, call, Object.keys(call.body.shape)] as const] : [],
)

/** Wrong values for any field: missing, wrong type, wrong text, too small, too large, too long, or with wrong items. */
const WRONG = [
  undefined,
  null,
  '',
  'abc',
  '1.555',
  'x'.repeat(20_000),
  -1,
  1.5,
  1e18,
  true,
  [],
  [null],
  ['abc'],
  {},
  { a: 1 },
  'a\0b',
]

/**
 * Matches texts that staff must not see: messages of the schema library, names from the code, unfilled placeholders.
 */
const RAW = /Invalid|[Ee]xpected|received|Too (?:small|big)|[Uu]nrecognized|[a-z]_[a-z]|[{}?]|undefined|null|NaN|object/

/** Whether a text says something about the field: "Amount must be…", or "Choose one of the options for Amount." */
function isSentence(text: string, label: string): boolean {
  return text.startsWith(label) ? /^ (?:must|is|names|has) /.test(text.slice(label.length)) : text.includes(label)
}

describe('F67: refusals of invalid fields', () => {
  it.each(FORMS)('F67: %s names each invalid field by its label, in plain words', (_, call, fields) => {
    const raw: string[] = []
    for (const field of fields)
      for (const value of WRONG) {
        const { body } = call
        const read = readInput(
          { ...(body && { body }) },
          { params: {}, query: {}, body: { [field]: value } },
          STAFF_WORDS,
        )
        if (read.ok) continue
        const texts = [read.unreadable.body.message, ...Object.values(read.unreadable.body.errors ?? {}).flat()]
        const own = read.unreadable.body.errors?.[field] ?? []
        const given = JSON.stringify(value)?.slice(0, 20)
        for (const text of texts) if (RAW.test(text)) raw.push(`${field} ${given}: ${text}`)
        // Only `bad_request` must name the field by its label. Other refusals name the subject of the form, such as a
        // PIN.
        if (read.unreadable.body.code !== 'bad_request') continue
        for (const text of own)
          if (!isSentence(text, fieldLabel(field))) raw.push(`${field} ${given}: the label is not in "${text}"`)
      }
    expect(raw).toEqual([])
  })
})
