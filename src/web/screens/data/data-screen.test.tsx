import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ExportOut } from '#contract/own-data.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { confirmWith } from '#web/api/call.ts'
import { queryClient } from '#web/api/query.tsx'
import { DataScreen } from '#web/screens/data/data-screen.tsx'

beforeEach(() => queryClient.clear())
afterEach(() => {
  vi.restoreAllMocks()
  confirmWith(async () => false)
})

const WAITING: ExportOut = {
  id: '1',
  state: 'waiting',
  asked_at: '2026-11-21T10:00:00.000Z',
  ready_at: null,
  expires_at: null,
  bytes: 0,
}
const READY: ExportOut = {
  ...WAITING,
  state: 'ready',
  ready_at: '2026-11-21T10:01:00.000Z',
  expires_at: '2026-11-28T10:01:00.000Z',
}

test('a press requests a copy, and the screen then says that the copy is being prepared', async () => {
  let newest: ExportOut | null = null
  const { seen } = fakeApi({
    'GET /user/data/export': () => ({
      body: { data: { export: newest, next_at: newest && '2999-01-01T00:00:00.000Z' } },
    }),
    'POST /user/data/export': () => {
      newest = WAITING
      return { body: { data: { export: newest } } }
    },
  })
  render(<DataScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Request a copy' }))
  expect(await screen.findByText(/^Your copy is being prepared/)).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Request a copy' })).toBeNull())
  expect(seen.filter(({ route }) => route === 'POST /user/data/export')).toHaveLength(1)
})

test('the screen offers a copy that is ready, and says when the next copy can be requested', async () => {
  fakeApi({
    'GET /user/data/export': { body: { data: { export: READY, next_at: '2999-01-01T00:00:00.000Z' } } },
    'GET /user/data/export/1': { status: 404, body: { code: 'not_found', message: 'Not found' } },
  })
  render(<DataScreen />)
  const download = await screen.findByRole('button', { name: 'Download' })
  expect(screen.getByText(/^You can request the next copy from /)).toBeTruthy()
  await userEvent.click(download)
  expect(await screen.findByText('Not found')).toBeTruthy()
})

test('F1: a download that needs a confirmation asks for it, and then saves the file', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:copy')
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  const ask = vi.fn(async () => true)
  confirmWith(ask)
  const { seen } = fakeApi({
    'GET /user/data/export': { body: { data: { export: READY, next_at: '2999-01-01T00:00:00.000Z' } } },
    'GET /user/data/export/1': () =>
      ask.mock.calls.length === 0
        ? { status: 422, body: { code: 'confirmation_needed', message: 'Please confirm' } }
        : { text: 'zip' },
  })
  render(<DataScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Download' }))
  // The screen loads its data again when the download is over.
  await waitFor(() => expect(seen.filter(({ route }) => route === 'GET /user/data/export')).toHaveLength(2))
  expect(ask).toHaveBeenCalledOnce()
  expect(names).toEqual(['own-data-2026-11-21.zip'])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the user can request another copy after a copy has failed', async () => {
  fakeApi({ 'GET /user/data/export': { body: { data: { export: { ...WAITING, state: 'failed' }, next_at: null } } } })
  render(<DataScreen />)
  expect(await screen.findByText(/^The copy could not be made/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Request a copy' })).toBeTruthy()
})
