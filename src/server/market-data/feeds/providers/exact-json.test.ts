import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decimalNumber,
  decimalText,
  plainDecimal,
  plainPrice,
  readJson,
  readUnmarkedJson,
  Unreadable,
} from '#server/market-data/feeds/providers/exact-json.ts'

test('keeps all digits of numbers, as text where a number would lose some', () => {
  expect(readUnmarkedJson('{"id":1723161255343123456,"t":["1723161255343123456"],"n":12.5}')).toEqual({
    id: '1723161255343123456',
    t: ['1723161255343123456'],
    n: 12.5,
  })
  expect(readUnmarkedJson('[0.1234567890123456789,-1234567890123456789]')).toEqual([
    '0.1234567890123456789',
    '-1234567890123456789',
  ])
})

test('leaves strings with long numbers, quotes and backslashes unchanged', () => {
  const value = { a: '1723161255343123456', 'b": 1723161255343123456 ,"': 'x\\" 9723161255343123456 \\' }
  expect(readJson(JSON.stringify(value))).toEqual(value)
})

test('parses JSON without long numbers like JavaScript does, also next to a long one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, text) => {
      const short = shorten(value)
      const result = readUnmarkedJson(JSON.stringify([short, text, 0]).replace(/0]$/, '1723161255343123456]'))
      expect(result).toEqual([short, text, '1723161255343123456'])
    }),
  )
})

/** Returns the same value with every number cut to at most nine digits, which JavaScript keeps exactly. */
function shorten(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'number' ? Math.trunc(part % 1e9) : part)),
  )
}

test.each(['', '{', '{"a":}', 'NaN', "{'a':1}", '{"a":1}}', '[1723161255343123456'])(
  'rejects %s as unreadable',
  (text) => {
    expect(() => readJson(text)).toThrow(Unreadable)
  },
)

test.each([
  ['61837.63000000', '61837.63000000'],
  [164.0591, '164.0591'],
  [1e-7, '0.0000001'],
  [1.25e-7, '0.000000125'],
  [100_000, '100000'],
  [0, '0'],
  ['0.00000000', '0.00000000'],
])('reads %s as a plain decimal', (value, text) => {
  expect(plainDecimal(value)).toBe(text)
})

test.each([
  -1,
  '-1',
  1e21,
  Number.NaN,
  Infinity,
  'NaN',
  '1e5',
  '0x10',
  ' 1',
  '1 ',
  '1,5',
  '.5',
  '5.',
  '',
  '١',
  null,
  {},
  [1],
])('rejects %s as a plain decimal', (value) => {
  expect(plainDecimal(value)).toBeNull()
})

test('reads every number without an exponent unchanged', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-15, max: 1e17, noNaN: true }), (value) => {
      expect(Number(plainDecimal(value) ?? value)).toBe(value)
    }),
  )
})

test('rejects a price of zero', () => {
  expect(plainPrice('0.00000000')).toBeNull()
  expect(plainPrice(0)).toBeNull()
  expect(plainPrice('0.00000001')).toBe('0.00000001')
})

test.each([
  ['5.2e-7', '0.00000052'],
  ['1.9999999999999998e-05', '0.000019999999999999998'],
  ['1e-9', '0.000000001'],
])('P2: reads a small number with an exponent, %s, exactly', (json, text) => {
  expect(plainDecimal((readJson(`{"v":${json}}`) as { v: unknown }).v)).toBe(text)
})

test.each(['1e5', '1E5', '6.183763e4', '1e+2', '1E-7', '12e-7', '-5e-7', '-0', '-0.0', '0e-1', '"5.2e-7"'])(
  'P23: rejects %s as a plain decimal',
  (json) => {
    expect(plainDecimal((readJson(`{"v":${json}}`) as { v: unknown }).v)).toBeNull()
  },
)

test.each(['007.5', '00', '-0', '+1', '0x1', '1_000', '1.', ' 1', '\t1', '1\n', '1e-7'])(
  'P23: rejects the text %j as a plain decimal',
  (text) => {
    expect(plainDecimal(text)).toBeNull()
  },
)

test.each([
  '{"p":"1","p":"2"}',
  '{"p":"1", "p" :"1"}',
  '[{"a":{"p":1,"q":2,"p":3}}]',
  '{"\\u0070":"1","p":"2"}',
  '{"__proto__":{"p":"1"},"__proto__":{"p":"2"}}',
  '{"t":"a\\":b","p":"1","p":"2"}',
])('P23: rejects %s, which repeats a name', (text) => {
  expect(() => readJson(text)).toThrow(Unreadable)
})

test('P23: accepts the same name in two objects, and a string that looks like a name', () => {
  const value = [
    { p: '1', q: { p: '2' } },
    { p: '": "p":', 'x":': 1 },
  ]
  expect(readJson(JSON.stringify(value, null, 1))).toEqual(value)
})

test('P23: treats the name of a built-in property like any other, and changes no other object', () => {
  expect(Object.keys(readJson('{"__proto__":{"p":"1"},"constructor":2}') as object)).toEqual([
    '__proto__',
    'constructor',
  ])
  expect(({} as { p?: string }).p).toBeUndefined()
})

test.each([
  ['12.5', 'number'],
  ['17231612553431234', 'number'],
  ['150.0', 'number'],
  ['5.2e-7', 'number'],
  ['"12.5"', 'text'],
  ['"17231612553431234"', 'text'],
  ['"\\u00012"', 'neither'],
])('P6: recognises %s as a decimal written as %s', (json, form) => {
  const read = () => (readJson(`{"v":${json}}`) as { v: unknown }).v
  if (form === 'neither') return expect(read).toThrow(Unreadable)
  expect([decimalNumber(read()) !== null, decimalText(read()) !== null]).toEqual([form === 'number', form === 'text'])
})
