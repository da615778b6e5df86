import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseMarkup, plainText } from '#core/content/markup.ts'
import { isSafeLink } from '#core/content/safe-link.ts'

const text = (words: string) => ({ kind: 'text', text: words })

test('parseMarkup parses headings, paragraphs, lists, bold text and links', () => {
  const source = '## Title\nOne line\nand **another**.\n\n- first [rule](/page/rules)\n- second\n\nThe end'
  expect(parseMarkup(source)).toEqual([
    { kind: 'heading', inlines: [text('Title')] },
    { kind: 'paragraph', inlines: [text('One line and '), { kind: 'bold', text: 'another' }, text('.')] },
    { kind: 'list', items: [[text('first '), { kind: 'link', text: 'rule', to: '/page/rules' }], [text('second')]] },
    { kind: 'paragraph', inlines: [text('The end')] },
  ])
  expect(plainText(source)).toBe('Title One line and another. first rule second The end')
})

it.each([
  '<script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '[x](data:text/html,hi)',
  '[x](//elsewhere.example)',
  '[x](/\\elsewhere.example)',
  '**',
  '#5 is no heading',
])('%s stays plain text', (source) => {
  expect(parseMarkup(source)).toEqual([{ kind: 'paragraph', inlines: [text(source)] }])
})

test('parsing any source loses no word and makes no unsafe link', () => {
  const pieces = fc.constantFrom(
    'a',
    '**',
    '[',
    ']',
    '(',
    ')',
    '- ',
    '## ',
    '\n',
    '\n\n',
    ' ',
    'https://x.y',
    '/p',
    '<b>',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const source = parts.join('')
      const blocks = parseMarkup(source)
      const inlines = blocks.flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.inlines))
      for (const inline of inlines) if (inline.kind === 'link') expect(isSafeLink(inline.to)).toBe(true)
      const letters = (value: string) => value.replace(/[^a]/g, '').length
      expect(letters(plainText(source))).toBe(letters(source))
    }),
  )
})

describe('links', () => {
  it.each(['https://example.com/a?b=c#d', 'http://example.com', 'mailto:help@example.com', '/', '/page/rules'])(
    '%s is safe',
    (link) => expect(isSafeLink(link)).toBe(true),
  )
  it.each([
    '',
    'javascript:alert(1)',
    ' https://example.com',
    'JAVASCRIPT:x',
    '//x.example',
    '/\\x',
    'page',
    'https://a b',
  ])('%j is unsafe', (link) => expect(isSafeLink(link)).toBe(false))
})
