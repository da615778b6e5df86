// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ToastProvider, useToast } from '#ui/toast.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Copier() {
  const show = useToast()
  return (
    <button
      type="button"
      onClick={() => {
        show({ tone: 'success', text: 'first' })
        show({ tone: 'info', text: 'second' })
      }}
    >
      Copy
    </button>
  )
}

function renderAndPress() {
  render(
    <ToastProvider dismissLabel="Dismiss">
      <Copier />
    </ToastProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
}

function pass(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

describe('Toast', () => {
  it('the page shows one toast at a time for five seconds, in a status region', () => {
    renderAndPress()
    expect(screen.getByRole('status').textContent).toBe('first')
    pass(4_999)
    expect(screen.getByRole('status').textContent).toBe('first')
    pass(1)
    expect(screen.getByRole('status').textContent).toBe('second')
    pass(5_000)
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('a toast pauses its display time while the pointer is on the toast, and then continues', () => {
    renderAndPress()
    pass(3_000)
    const bar = screen.getByText('first')
    fireEvent.pointerEnter(bar)
    pass(60_000)
    expect(screen.getByRole('status').textContent).toBe('first')
    fireEvent.pointerLeave(bar)
    pass(1_999)
    expect(screen.getByRole('status').textContent).toBe('first')
    pass(1)
    expect(screen.getByRole('status').textContent).toBe('second')
  })

  it('a toast can be dismissed', () => {
    renderAndPress()
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.getByRole('status').textContent).toBe('second')
  })
})
