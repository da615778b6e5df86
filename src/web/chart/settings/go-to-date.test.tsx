import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { chartMoment } from '#web/chart/chart-moment.ts'
import { GoToDate, momentOf } from '#web/chart/settings/go-to-date.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { clock } from '#web/options/options.ts'

beforeEach(async () => {
  chartMoment.set(null)
  clock.choose('utc')
  await loadTexts('more')
})

test('the chart goes to a day and a time of day', async () => {
  const seen = { gone: 0 }
  render(<GoToDate symbol="BTCUSDT" interval="1m" onGo={() => (seen.gone += 1)} />)
  const button = screen.getByRole('button', { name: 'Show' })
  expect(button).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('Day, UTC'), '2026-01-31')
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '14:32' } })
  await userEvent.click(button)
  expect(chartMoment.get()).toEqual({ symbol: 'BTCUSDT', interval: '1m', time: Date.UTC(2026, 0, 31, 14, 32) })
  expect(seen.gone).toBe(1)
})

test('a daily chart goes to a day in UTC and has no field for the time', async () => {
  clock.choose('local')
  render(<GoToDate symbol="BTCUSDT" interval="1d" onGo={() => undefined} />)
  expect(screen.queryByLabelText('Time')).toBeNull()
  await userEvent.type(screen.getByLabelText('Day, UTC'), '2026-01-31')
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  expect(chartMoment.get()?.time).toBe(Date.UTC(2026, 0, 31))
})

test('a typed time is a time on the clock that the user has chosen', () => {
  clock.choose('local')
  expect(momentOf('2026-01-31', '14:32')).toBe(new Date(2026, 0, 31, 14, 32).getTime())
  expect(momentOf('2026-07-31', '14:32')).toBe(new Date(2026, 6, 31, 14, 32).getTime())
  expect(momentOf('', '14:32')).toBeNull()
  expect(momentOf('2026-01-31', '')).toBeNull()
})
