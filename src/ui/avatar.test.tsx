import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Avatar } from '#ui/symbol-mark.tsx'

test.each([
  ['Bank transfer', 'BT'],
  ['🏦 Bank', '🏦B'],
  ['👩‍💻', '👩‍💻'],
  ['🇩🇪 Überweisung', '🇩🇪Ü'],
  ['बैंक', 'बैं'],
  ['E\u0301clair', 'E\u0301'],
  ['Éclair Bank', 'ÉB'],
  ['', '?'],
])('F73: the initials of %j are %s', (name, initials) => {
  const { container } = render(<Avatar name={name} />)
  expect(container.textContent).toBe(initials)
})
