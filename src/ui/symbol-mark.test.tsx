import { fireEvent, render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SymbolMark } from '#ui/symbol-mark.tsx'

test('the letter of a symbol is shown until its picture has loaded, and also if the picture cannot load', () => {
  const { container } = render(<SymbolMark code="BTC" marketType="crypto" builtIn={['/btc.svg']} />)
  const picture = container.querySelector('img')
  const cover = picture?.parentElement
  if (!picture || !cover) throw new Error('there is no picture')
  expect(container.textContent).toBe('B')
  expect(cover.className).toContain('opacity-0')
  fireEvent.error(picture)
  expect(cover.className).toContain('opacity-0')
  fireEvent.load(picture)
  expect(cover.className).toContain('opacity-100')
})

test('a pair has a picture for each currency, and an uploaded picture replaces the built-in one', () => {
  const pair = render(<SymbolMark code="EURUSD" marketType="us_fx" builtIn={['/eur.svg', '/usd.svg']} />)
  expect(Array.from(pair.container.querySelectorAll('img'), (one) => one.getAttribute('src'))).toEqual([
    '/eur.svg',
    '/usd.svg',
  ])
  const own = render(<SymbolMark code="BTC" marketType="crypto" picture="/own.png" builtIn={['/btc.svg']} />)
  expect(Array.from(own.container.querySelectorAll('img'), (one) => one.getAttribute('src'))).toEqual(['/own.png'])
})
