import { act, render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { isOnLayer, useLayer } from '#ui/close-on-back.ts'

function Layer({ isOpen, onBack }: { isOpen: boolean; onBack: () => void }) {
  useLayer(isOpen, onBack)
  return null
}

/** Waits for effects and the following history step. */
const settled = () => act(async () => undefined)

it('F23: an open layer has its own history entry at the same address', async () => {
  const [before, address] = [history.length, location.href]
  const layer = render(<Layer isOpen onBack={vi.fn<() => void>()} />)
  await settled()
  expect(history.length).toBe(before + 1)
  expect(location.href).toBe(address)
  expect(isOnLayer()).toBe(true)
  layer.unmount()
})

it('F23: Back closes the uppermost layer only', async () => {
  const [under, over] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const view = render(
    <>
      <Layer isOpen onBack={under} />
      <Layer isOpen onBack={over} />
    </>,
  )
  await settled()
  arriveAt({ layers: 1 })
  expect([under, over].map((close) => close.mock.calls.length)).toEqual([0, 1])
  arriveAt(null)
  expect([under, over].map((close) => close.mock.calls.length)).toEqual([1, 1])
  view.unmount()
})

it('F23: a layer that closes while another layer opens leaves its history entry to the new layer', async () => {
  const view = render(<Layer key="one" isOpen onBack={vi.fn<() => void>()} />)
  await settled()
  const before = history.length
  view.rerender(<Layer key="two" isOpen onBack={vi.fn<() => void>()} />)
  await settled()
  expect(history.length).toBe(before)
  expect(isOnLayer()).toBe(true)
  view.unmount()
})

/** Simulates that the browser shows another history entry, as after Back. */
function arriveAt(state: object | null): void {
  history.replaceState(state, '')
  act(() => {
    dispatchEvent(new PopStateEvent('popstate', { state }))
  })
}
