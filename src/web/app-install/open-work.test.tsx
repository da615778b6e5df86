import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { hasOpenWork, watchForms } from '#web/app-install/open-work.ts'

it('a form with typed text is open work until it is sent', async () => {
  const user = userEvent.setup()
  const stop = watchForms()
  render(
    <form onSubmit={(event) => event.preventDefault()}>
      <input aria-label="Amount" />
      <button type="submit">Send</button>
    </form>,
  )
  await user.type(screen.getByLabelText('Amount'), '5')
  expect(hasOpenWork()).toBe(true)
  await user.click(screen.getByRole('button'))
  expect(hasOpenWork()).toBe(false)
  await user.type(screen.getByLabelText('Amount'), '0')
  expect(hasOpenWork()).toBe(true)
  stop()
})
