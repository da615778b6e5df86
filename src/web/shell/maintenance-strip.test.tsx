import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { MaintenanceStrip } from '#web/shell/maintenance-strip.tsx'
import { loadSettings } from '#web/site/settings.ts'

async function show(maintenance: { from: number; to: number | null; words: string }): Promise<string> {
  fakeApi({
    'GET /user/general-setting': { body: { data: { server_time: Date.now(), favicon_url: '', maintenance } } },
  })
  await loadSettings()
  const { container, unmount } = render(<MaintenanceStrip />)
  const text = container.textContent
  unmount()
  return text
}

it('the strip announces a maintenance an hour before it, and shows it until its end', async () => {
  const now = Date.now()
  const words = 'A new database.'
  expect(await show({ from: now + 2 * HOUR_MS, to: now + 3 * HOUR_MS, words })).toBe('')
  expect(await show({ from: now + 50 * MINUTE_MS, to: now + 3 * HOUR_MS, words })).toMatch(
    /pauses for maintenance.*A new/,
  )
  expect(await show({ from: now - MINUTE_MS, to: now + HOUR_MS, words })).toMatch(/is paused for maintenance until/)
  expect(await show({ from: now - HOUR_MS, to: now - MINUTE_MS, words })).toBe('')
  expect(await show({ from: now - MINUTE_MS, to: null, words })).toMatch(/^Trading is paused\..*A new database/)
  expect(screen.queryByRole('alert')).toBeNull()
})
