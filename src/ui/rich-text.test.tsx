import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { parseMarkup } from '#core/content/markup.ts'
import { RichText } from '#ui/rich-text.tsx'

test('markup becomes elements, and never a script', () => {
  const source = [
    '## Heading',
    'A **bold** word, [inside](/page/rules) and [outside](https://example.com/).',
    '- <img src=x onerror=alert(1)>\n- [bad](javascript:alert(1))',
  ].join('\n\n')
  const { container } = render(<RichText blocks={parseMarkup(source)} />)
  expect(screen.getByRole('heading', { name: 'Heading' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'inside' }).getAttribute('target')).toBeNull()
  const outside = screen.getByRole('link', { name: 'outside' })
  expect([outside.getAttribute('target'), outside.getAttribute('rel')]).toEqual(['_blank', 'noreferrer noopener'])
  expect(screen.getAllByRole('link')).toHaveLength(2)
  expect(container.querySelectorAll('img, script')).toHaveLength(0)
  expect(container.textContent).toContain('<img src=x onerror=alert(1)>')
})
