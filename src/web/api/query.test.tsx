import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient, useCallQuery, withData } from '#web/api/query.tsx'

const Shown = withData(() => <p>{useCallQuery('GET /user/limits', {}).isSuccess ? 'loaded' : 'waits'}</p>)

beforeEach(() => queryClient.clear())

test('F29: a screen loads when the network came back while no screen was open', async () => {
  fakeApi({ 'GET /user/limits': { body: { data: {} } } })
  const { unmount } = render(<p />, { wrapper: withData(({ children }) => <>{children}</>) })
  globalThis.dispatchEvent(new Event('offline'))
  unmount()
  globalThis.dispatchEvent(new Event('online'))
  render(<Shown />)
  expect(await screen.findByText('loaded')).toBeTruthy()
})

test('F29: a screen that opened without a network loads when the network is back', async () => {
  fakeApi({ 'GET /user/limits': { body: { data: {} } } })
  globalThis.dispatchEvent(new Event('offline'))
  render(<Shown />)
  expect(screen.getByText('waits')).toBeTruthy()
  globalThis.dispatchEvent(new Event('online'))
  expect(await screen.findByText('loaded')).toBeTruthy()
})
