import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Skeleton } from '#ui/states.tsx'
import { LoadingPill } from '#web/shell/loading-pill.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('SC29, F57: the app shows a text after one second of loading, until the page has loaded', () => {
  const { rerender } = render(
    <>
      <LoadingPill />
      <Skeleton />
    </>,
  )
  act(() => void vi.advanceTimersByTime(999))
  expect(screen.queryByText('Loading')).toBeNull()
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.getByRole('status').textContent).toBe('Loading')
  rerender(<LoadingPill />)
  expect(screen.queryByText('Loading')).toBeNull()
})
