import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { parseMarkup } from '#core/content/markup.ts'
import { htmlOf } from '#core/content/markup-html.ts'
import { htmlBlocks } from '#web/forms/html-blocks.ts'
import { OperatorText } from '#web/forms/operator-text.tsx'

test("OperatorText shows the server's HTML as written", () => {
  const blocks = parseMarkup(
    '## Fees\n\nSee **our** [rules](/page/rules) & <more>.\n\n- one\n- [two](https://example.com)',
  )
  expect(htmlBlocks(htmlOf(blocks))).toEqual(blocks)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<p><a href="javascript:alert(1)">words</a></p>',
  '<ul><li><svg onload=alert(1)></li></ul>',
  '<p style="position:fixed">words</p>',
])('OperatorText runs no script in other HTML: %s', (html) => {
  const { container } = render(<OperatorText html={html} />)
  expect(container.querySelectorAll('script, img, a, svg, [style], [onload], [onerror]')).toHaveLength(0)
})

test('OperatorText shows nothing for an empty text', () => {
  expect(render(<OperatorText html=" <p></p> " />).container.textContent).toBe('')
})
