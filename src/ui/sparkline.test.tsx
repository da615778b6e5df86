import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Sparkline } from '#ui/sparkline.tsx'

function lineOf(points: readonly (number | null)[]): string {
  const { container } = render(<Sparkline points={points} direction="up" />)
  return container.querySelectorAll('path')[1]?.getAttribute('d') ?? ''
}
const commands = (path: string) => path.replaceAll(/[\d. ]/g, '')

describe('a sparkline', () => {
  it('P16: a sparkline is one line when every price is known', () => {
    expect(commands(lineOf([1, 2, 3]))).toBe('MhLL')
  })

  it('P16: a sparkline has a gap for a missing price, and a dot for a single price', () => {
    expect(commands(lineOf([1, 2, null, 4, null, null, 3, 5]))).toBe('MhLMhMhL')
  })

  it('P16: a sparkline has no line with fewer than two prices', () => {
    expect(commands(lineOf([null, null, 7]))).toBe('Mh')
    expect(lineOf([null, null])).toBe('')
  })
})
