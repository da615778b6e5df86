import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { LimitPrompt } from '#web/screens/deposit/limit-prompt.tsx'

const answers = ({ seen }: ReturnType<typeof fakeApi>) =>
  seen.filter(({ route }) => route === 'POST /user/limits/prompt').map(({ body }) => body)

test('the prompt shows both answers with equal weight and no preset amount, and sends the typed limit', async () => {
  const api = fakeApi({ 'POST /user/limits/prompt': { body: { data: {} } } })
  let done = 0
  render(<LimitPrompt onDone={() => (done += 1)} />)
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).checked)).toEqual([true, false])
  const field = screen.getByRole<HTMLInputElement>('textbox')
  expect(field.value).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(answers(api)).toEqual([])
  await userEvent.type(field, '200')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => done).toBe(1)
  expect(answers(api)).toEqual([{ answer: 'set', changes: [{ key: 'deposit_day', value: '200.00' }] }])
})

test('the prompt sends the answer of a user who wants no limit', async () => {
  const api = fakeApi({ 'POST /user/limits/prompt': { body: { data: {} } } })
  let done = 0
  render(<LimitPrompt onDone={() => (done += 1)} />)
  await userEvent.click(screen.getByRole('radio', { name: 'No limit' }))
  expect(screen.queryByRole('textbox')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => done).toBe(1)
  expect(answers(api)).toEqual([{ answer: 'none' }])
})
