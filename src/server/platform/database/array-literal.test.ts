import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { arrayLiteral } from '#server/platform/database/array-literal.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const opened = useTestDatabase()

describe('an array literal', () => {
  it.each([
    ['{}', []],
    ['{1,-2,3,null,null}', [1, -2, 3n, null, undefined]],
    ['{9007199254740991,"9007199254740993"}', [9_007_199_254_740_991n, 9_007_199_254_740_993n]],
    ['{true,false}', [true, false]],
    ['{"BTC","null","","a b"}', ['BTC', 'null', '', 'a b']],
    ['{"say \\"no\\"","back\\\\slash","{1,2}",7,null}', ['say "no"', 'back\\slash', '{1,2}', 7, null]],
    ['{"a\nline","\u0001"}', ['a\nline', '\u0001']],
    ['{"\\\\x00ab"}', [new Uint8Array([0, 171])]],
  ])('may be %s', (text, values) => {
    expect(arrayLiteral(values)).toBe(text)
  })

  it('refuses unsupported values', () => {
    expect(() => arrayLiteral([[1]])).toThrow('not supported')
    expect(() => arrayLiteral([new Date(0)])).toThrow('not supported')
    expect(() => arrayLiteral([Number.NaN])).toThrow('not supported')
    expect(() => arrayLiteral([1, Number.POSITIVE_INFINITY])).toThrow('not supported')
  })

  it('the database reads an array literal unchanged, whatever texts it contains', async () => {
    const text = fc.option(fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '')))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const { rows } = await sql<{ read: unknown }>`select ${arrayLiteral(texts)}::text::text[] as read`.execute(
          opened.db,
        )
        expect(rows[0]?.read).toEqual(texts)
      }),
      { numRuns: 50 },
    )
  })
})
