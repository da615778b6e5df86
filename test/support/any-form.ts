import * as fc from 'fast-check'
import { FIELD_TYPES, formFlaws, type MethodField } from '#core/wallet/form-definition.ts'
import { TICKED } from '#core/wallet/method-details.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    "Holder's name & more",
    'رقم الحساب',
    '口座番号',
    'ژمارە‌ی هەژمار',
    'a]b',
    'a%5Db',
    'Ж=;:',
    'naïve',
    '__proto__',
    'toString',
  ),
)
const field: fc.Arbitrary<MethodField> = fc.record(
  {
    name: fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
    label: text,
    type: fc.constantFrom(...FIELD_TYPES),
    is_required: fc.boolean(),
    hint: text,
    options: fc.array(text, { minLength: 1, maxLength: 4 }),
    max_length: fc.integer({ min: 1, max: 500 }),
  },
  { requiredKeys: ['name', 'label', 'type', 'is_required'] },
)

/** Generates valid forms from all kinds of fields. */
export function anyForm(kind: 'deposit' | 'withdraw'): fc.Arbitrary<MethodField[]> {
  return fc
    .array(field, { maxLength: 8 })
    .map((fields) => fields.filter((one) => formFlaws(kind, [one]).length === 0))
    .filter((fields) => formFlaws(kind, fields).length === 0)
}

/** Generates a text that a user may enter in a field. File fields get no text. */
export function anAnswer({ type, options = [], max_length: maxLength = 500 }: MethodField): string {
  switch (type) {
    case 'email':
      return 'a@example.com'
    case 'number':
      return '7'
    case 'tel':
      return '5551234'
    case 'date':
      return '2026-01-02'
    case 'url':
      return 'https://example.com'
    case 'select':
      return options.at(-1) ?? ''
    case 'checkbox':
      return TICKED
    default:
      return 'Ā "b" & c'.slice(0, maxLength)
  }
}
