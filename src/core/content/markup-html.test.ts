import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkup } from '#core/content/markup.ts'
import { htmlOf } from '#core/content/markup-html.ts'

test('AT33: htmlOf renders headings, bold text, links and lists, and escapes HTML', () => {
  const source = '## Fees & more\nSee **our** [rules](/page/rules?a=1&b=2).\n\n- one\n- <b>two</b>'
  expect(htmlOf(parseMarkup(source))).toBe(
    '<h2>Fees &amp; more</h2>' +
      '<p>See <strong>our</strong> <a href="/page/rules?a=1&amp;b=2" rel="noopener noreferrer">rules</a>.</p>' +
      '<ul><li>one</li><li>&lt;b&gt;two&lt;/b&gt;</li></ul>',
  )
})

test('AT33: htmlOf renders no other tags or attributes for any source', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('**', '[a](', 'https://x.y/"onclick="', ')', '\n', '- ', '## ', '<script>', "'"),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      const rest = htmlOf(parseMarkup(parts.join('')))
        .replace(/<\/?(?:h2|p|ul|li|strong)>|<\/a>/g, '')
        .replace(/<a href="[^"<>']*" rel="noopener noreferrer">/g, '')
      expect(rest).not.toMatch(/[<>"]/)
    }),
  )
})
