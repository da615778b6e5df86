import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { preloadable } from '#ui/preloadable.tsx'
import { ErrorBoundary } from '#web/parts/error-boundary.tsx'
import { ScreenFailed } from '#web/shell/screen-failed.tsx'
import { Suspense } from 'react'

let isOnline = true
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('F29: a screen that failed to load shows why and opens once the network is back', async () => {
  isOnline = false
  const Screen = preloadable(async () => {
    if (!isOnline) throw new TypeError('Failed to fetch')
    return () => <p>The screen</p>
  })
  render(
    <ErrorBoundary renderInstead={(again) => <ScreenFailed prepare={Screen.prepare} onReady={again} />}>
      <Suspense>
        <Screen />
      </Suspense>
    </ErrorBoundary>,
  )
  await act(() => vi.advanceTimersByTimeAsync(7_000))
  expect(screen.getByText(/^You are offline\. This screen opens/)).toBeTruthy()
  isOnline = true
  await act(async () => {
    globalThis.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(100)
  })
  expect(screen.getByText('The screen')).toBeTruthy()
})
