import { describe, expect, it, test } from 'vitest'
import { formFlaws, MAX_LABEL_LENGTH, MAX_FIELDS, MAX_FILES, type MethodField } from '#core/wallet/form-definition.ts'

const field = (change: Partial<MethodField> = {}): MethodField => ({
  name: 'iban',
  label: 'IBAN',
  type: 'text',
  is_required: true,
  ...change,
})
const many = (count: number, type = 'text') =>
  Array.from({ length: count }, (_, place) => field({ name: `f${place}`, label: `Field ${place}`, type }))
const codes = (fields: readonly MethodField[], kind: 'deposit' | 'withdraw' = 'deposit') =>
  formFlaws(kind, fields).map(({ code }) => code)

describe('formFlaws finds no flaw in a form with', () => {
  it.each<[string, MethodField[]]>([
    ['no fields', []],
    ['the maximum number of fields', many(MAX_FIELDS)],
    ['the maximum number of files', many(MAX_FILES, 'file')],
    ['a select', [field({ type: 'select', options: ['SEPA', 'Swift'] })]],
    ['an Arabic label', [field({ label: 'رقم الحساب' })]],
    ['a Kurdish label with a joiner', [field({ label: 'ژمارە‌ی هەژمار' })]],
    ['punctuation in a label', [field({ label: "Name (holder's) & more, 5/6: *" })]],
    ['a hint and a maximum length', [field({ type: 'textarea', hint: 'As on your card', max_length: 500 })]],
    ['the longest label', [field({ label: 'x'.repeat(MAX_LABEL_LENGTH) })]],
  ])('%s', (_, fields) => expect(codes(fields)).toEqual([]))
})

test.each<[string, MethodField[], ReturnType<typeof codes>]>([
  ['too many fields', many(MAX_FIELDS + 1), ['too_many_fields']],
  ['too many files', many(MAX_FILES + 1, 'file'), ['too_many_files']],
  ['no label', [field({ label: '' })], ['label_empty']],
  ['a label of spaces', [field({ label: '  ' })], ['label_empty']],
  ['a label too long', [field({ label: 'x'.repeat(MAX_LABEL_LENGTH + 1) })], ['label_long']],
  ['a label of too many bytes', [field({ label: '界'.repeat(31) })], ['label_long']],
  ['a bracket', [field({ label: 'a]b' })], ['label_letters']],
  ['a quote', [field({ label: 'a "b"' })], ['label_letters']],
  ['a line break', [field({ label: 'a\nb' })], ['label_letters']],
  ['a tab', [field({ label: 'a\tb' })], ['label_letters']],
  ['a NUL', [field({ label: 'a\0b' })], ['label_letters']],
  ['half a surrogate pair', [field({ label: 'a\uD800' })], ['label_letters']],
  ['a character that reverses text', [field({ label: 'a\u202Eb' })], ['label_letters']],
  ['a label with outer spaces', [field({ label: ' IBAN ' })], ['label_letters']],
  ['a label that is not in NFC', [field({ label: 'Cafe\u0301' })], ['label_letters']],
  ['a label that is a special property of objects', [field({ label: '__proto__' })], ['label_reserved']],
  ['a label that is a method of all objects', [field({ label: 'toString' })], ['label_reserved']],
  ['a label that is a part of the request', [field({ label: 'Amount' })], ['label_reserved']],
  ['the same label', [field(), field({ name: 'b' })], ['label_twice']],
  ['the same label in other letters', [field(), field({ name: 'b', label: 'iban' })], ['label_twice']],
  ['the same name', [field(), field({ label: 'Other' })], ['name_twice']],
  ['no name', [field({ name: '' })], ['name_letters']],
  ['a name with a space', [field({ name: 'a b' })], ['name_letters']],
  ['a reserved name', [field({ name: 'amount' })], ['name_reserved']],
  ['an unknown type', [field({ type: 'password' })], ['type_unknown']],
  ['a select without options', [field({ type: 'select' })], ['options_empty']],
  ['an empty option', [field({ type: 'select', options: [''] })], ['options_letters']],
  ['an option twice', [field({ type: 'select', options: ['a', 'A'] })], ['options_twice']],
  ['too many options', [field({ type: 'select', options: many(51).map(({ name }) => name) })], ['options_many']],
  ['a maximum length of zero', [field({ max_length: 0 })], ['length_range']],
  ['a maximum length above the limit', [field({ max_length: 501 })], ['length_range']],
  ['a maximum length of an email field', [field({ type: 'email', max_length: 1 })], ['length_type']],
  ['a fractional maximum length', [field({ max_length: 1.5 })], ['length_range']],
  ['a hint that reverses text', [field({ hint: '\u202Eabc' })], ['hint_letters']],
  [
    'several flaws in one field',
    [field({ label: '', name: '', type: '' })],
    ['label_empty', 'name_letters', 'type_unknown'],
  ],
])('formFlaws refuses %s', (_, fields, expected) => expect(codes(fields)).toEqual(expected))

test('a withdrawal method cannot have a file field', () => {
  expect(codes([field({ type: 'file' })], 'withdraw')).toEqual(['file_withdraw'])
})

test('a flaw names the index of its field and the part of the field', () => {
  expect(formFlaws('deposit', [field(), field({ name: 'b', label: '' })])).toEqual([
    { code: 'label_empty', at: 1, part: 'label' },
  ])
})
