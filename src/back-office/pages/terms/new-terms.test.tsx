import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { NewTerms } from '#back-office/pages/terms/new-terms.tsx'

beforeEach(() => queryClient.clear())

const STATE = { newest_n: 17, notice_ms: 3_600_000, ceiling: 10_000, coming: [] }
const MESSAGE = 'The value must be between 1 and 100.'

test('the form announces each part of a duration once, and continues after a part was refused', async () => {
  const onAdded = vi.fn<() => void>()
  let n = 17
  const { seen } = fakeApi({
    'GET /admin/markets/terms/state': { body: { data: STATE } },
    'POST /admin/markets/terms/announce': ({ body }) => {
      const { what, value } = body as { what: string; value: string }
      if (what === 'payout' && value === '20000')
        return { status: 422, body: { message: MESSAGE, code: 'terms_bounds', errors: { value: [MESSAGE] } } }
      n += 1
      return { body: { data: { n, applies_at: '2026-03-18T16:00:00.000Z' } } }
    },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <NewTerms onClose={() => undefined} onAdded={onAdded} />
      </ToastProvider>
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Duration (seconds)'), '600')
  await user.type(screen.getByLabelText('Payout (% of the stake)'), '200')
  await user.type(screen.getByLabelText('Minimum stake'), '5')
  await user.type(screen.getByLabelText('Maximum stake'), '1,000')
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  expect(await screen.findByText(MESSAGE)).toBeTruthy()
  expect(onAdded).not.toHaveBeenCalled()
  await user.clear(screen.getByLabelText('Payout (% of the stake)'))
  await user.type(screen.getByLabelText('Payout (% of the stake)'), '82.5')
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  await vi.waitFor(() => expect(onAdded).toHaveBeenCalledOnce())
  const sent = seen.filter(({ route }) => route.startsWith('POST')).map(({ body }) => body)
  const part = (what: string, value: string, seenN: number) => ({
    what,
    of: '600',
    value,
    applies_at: null,
    seen_n: seenN,
  })
  expect(sent).toEqual([
    part('duration', 'open', 17),
    part('payout', '20000', 18),
    part('payout', '8250', 18),
    part('min_stake', '500', 19),
    part('max_stake', '100000', 20),
  ])
})

test('F73: every wrong part of a new duration is marked at once, and nothing is announced', async () => {
  const { seen } = fakeApi({ 'GET /admin/markets/terms/state': { body: { data: STATE } } })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <NewTerms onClose={() => undefined} onAdded={() => undefined} />
      </ToastProvider>
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Duration (seconds)'), '600')
  await user.type(screen.getByLabelText('Payout (% of the stake)'), 'abc')
  await user.type(screen.getByLabelText('Minimum stake'), '5')
  await user.type(screen.getByLabelText('Maximum stake'), '1e3')
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  const isWrong = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid') === 'true'
  await vi.waitFor(() => expect(isWrong('Payout (% of the stake)')).toBe(true))
  expect([isWrong('Minimum stake'), isWrong('Maximum stake')]).toEqual([false, true])
  expect(seen.filter(({ route }) => route.startsWith('POST'))).toEqual([])
})
