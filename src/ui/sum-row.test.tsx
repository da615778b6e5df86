import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SumRow } from '#ui/sum-row.tsx'

it('an amount has its own text direction, and the direction of the page decides at which end of the row it is', () => {
  render(
    <dl>
      <SumRow label="Fee">$2.00</SumRow>
    </dl>,
  )
  const place = screen.getByRole('definition')
  expect(place.className).toContain('ms-auto')
  expect(place.className.split(' ')).not.toContain('num')
  expect(screen.getByText('$2.00').className).toBe('num')
})
