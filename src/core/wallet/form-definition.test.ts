import { describe, expect, it, test } from 'vitest'
import { formFlaws, LONGEST_LABEL, MOST_FIELDS, MOST_FILES, type MethodField } from '#core/wallet/form-definition.ts'

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

describe('a form that users can fill in and send', () => {
  it.each<[string, MethodField[]]>([
    ['nothing at all', []],
    ['as many fields as there may be', many(MOST_FIELDS)],
    ['as many files as there may be', many(MOST_FILES, 'file')],
    ['a select', [field({ type: 'select', options: ['SEPA', 'Swift'] })]],
    ['an Arabic label', [field({ label: 'رقم الحساب' })]],
    ['a Kurdish label with a joiner', [field({ label: 'ژمارە‌ی هەژمار' })]],
    ['signs', [field({ label: "Name (holder's) & more, 5/6: *" })]],
    ['all extras', [field({ type: 'textarea', hint: 'As on your card', max_length: 500 })]],
    ['the longest label', [field({ label: 'x'.repeat(LONGEST_LABEL) })]],
  ])('%s', (_, fields) => expect(codes(fields)).toEqual([]))
})

test.each<[string, MethodField[], ReturnType<typeof codes>]>([
  ['too many fields', many(MOST_FIELDS + 1), ['too_many_fields']],
  ['too many files', many(MOST_FILES + 1, 'file'), ['too_many_files']],
  ['no label', [field({ label: '' })], ['label_empty']],
  ['a label of spaces', [field({ label: '  ' })], ['label_empty']],
  ['a label too long', [field({ label: 'x'.repeat(LONGEST_LABEL + 1) })], ['label_long']],
  ['a label of too many bytes', [field({ label: '界'.repeat(31) })], ['label_long']],
  ['a bracket', [field({ label: 'a]b' })], ['label_letters']],
  ['a quote', [field({ label: 'a "b"' })], ['label_letters']],
  ['a line break', [field({ label: 'a\nb' })], ['label_letters']],
  ['a tab', [field({ label: 'a\tb' })], ['label_letters']],
  ['a nothing', [field({ label: 'a\0b' })], ['label_letters']],
  ['half a letter', [field({ label: 'a\uD800' })], ['label_letters']],
  ['a letter that turns text around', [field({ label: 'a\u202Eb' })], ['label_letters']],
  ['space around', [field({ label: ' IBAN ' })], ['label_letters']],
  ['letters that are not composed', [field({ label: 'Cafe\u0301' })], ['label_letters']],
  ['what objects mean something by', [field({ label: '__proto__' })], ['label_reserved']],
  ['what every object has', [field({ label: 'toString' })], ['label_reserved']],
  ['a part of the request', [field({ label: 'Amount' })], ['label_reserved']],
  ['the same label', [field(), field({ name: 'b' })], ['label_twice']],
  ['the same label in other letters', [field(), field({ name: 'b', label: 'iban' })], ['label_twice']],
  ['the same name', [field(), field({ label: 'Other' })], ['name_twice']],
  ['no name', [field({ name: '' })], ['name_letters']],
  ['a name with a space', [field({ name: 'a b' })], ['name_letters']],
  ['a reserved name', [field({ name: 'amount' })], ['name_reserved']],
  ['a type nobody draws', [field({ type: 'password' })], ['type_unknown']],
  ['a select of nothing', [field({ type: 'select' })], ['options_empty']],
  ['an empty option', [field({ type: 'select', options: [''] })], ['options_letters']],
  ['an option twice', [field({ type: 'select', options: ['a', 'A'] })], ['options_twice']],
  ['too many options', [field({ type: 'select', options: many(51).map(({ name }) => name) })], ['options_many']],
  ['no room for an answer', [field({ max_length: 0 })], ['length_range']],
  ['more than an answer may have', [field({ max_length: 501 })], ['length_range']],
  ['room for letters where there are none', [field({ type: 'email', max_length: 1 })], ['length_type']],
  ['half a letter of room', [field({ max_length: 1.5 })], ['length_range']],
  ['a hint that turns text around', [field({ hint: '\u202Eabc' })], ['hint_letters']],
  ['several at once', [field({ label: '', name: '', type: '' })], ['label_empty', 'name_letters', 'type_unknown']],
])('%s is refused', (_, fields, expected) => expect(codes(fields)).toEqual(expected))

test('a method is not asked for a file', () => {
  expect(codes([field({ type: 'file' })], 'withdraw')).toEqual(['file_withdraw'])
})

test('a flaw says where it is', () => {
  expect(formFlaws('deposit', [field(), field({ name: 'b', label: '' })])).toEqual([
    { code: 'label_empty', at: 1, part: 'label' },
  ])
})
