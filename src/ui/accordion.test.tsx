// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { Accordion } from '#ui/accordion.tsx'

afterEach(cleanup)

it('SC5: the accordion opens one answer at a time and closes the answer again', async () => {
  const user = userEvent.setup()
  render(
    <Accordion
      items={[
        { key: 'a', title: 'How is a result decided?', content: 'By the last price.' },
        { key: 'b', title: 'Is this real money?', content: 'No.' },
      ]}
    />,
  )
  const first = screen.getByRole('button', { name: 'How is a result decided?' })
  const second = screen.getByRole('button', { name: 'Is this real money?' })
  const expanded = () => [first, second].map((button) => button.getAttribute('aria-expanded'))
  expect(expanded()).toEqual(['false', 'false'])

  await user.click(first)
  expect(expanded()).toEqual(['true', 'false'])
  expect(screen.getByRole('region', { name: 'How is a result decided?' }).textContent).toBe('By the last price.')

  await user.click(second)
  expect(expanded()).toEqual(['false', 'true'])
  await user.click(second)
  expect(expanded()).toEqual(['false', 'false'])
})
