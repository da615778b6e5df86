import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { IndicatorTab } from '#web/chart/settings/indicator-tab.tsx'
import { changeDesk, deskNow } from '#web/options/desk.ts'

beforeEach(async () => {
  changeDesk({ indicators: [] })
  await loadTexts('more')
})

function draw(roomForPanes: number) {
  const seen = { large: 0 }
  render(<IndicatorTab maxPanes={3} roomForPanes={roomForPanes} onLarge={() => (seen.large += 1)} hasVolume />)
  return seen
}

const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })

test('an indicator that needs a second pane opens the large chart if the small chart has no room', async () => {
  const seen = draw(1)
  expect(screen.queryByText('Opens the large chart')).toBeNull()
  await userEvent.click(row('Relative strength index'))
  expect(seen.large).toBe(0)
  expect(row('Average true range').textContent).toContain('Opens the large chart')
  expect(row('Simple moving average').textContent).not.toContain('Opens the large chart')
  await userEvent.click(row('Average true range'))
  expect(seen.large).toBe(1)
  expect(deskNow().indicators).toHaveLength(2)
})

test('the large chart refuses an indicator for whose pane it has no room', async () => {
  const seen = draw(3)
  for (const name of ['Relative strength index', 'Average true range', 'Stochastic oscillator']) {
    await userEvent.click(row(name))
  }
  expect(seen.large).toBe(0)
  expect(row('Moving average convergence divergence')).toHaveProperty('disabled', true)
  expect(screen.queryByText('Opens the large chart')).toBeNull()
})
