import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest'
import { ToastProvider } from '#ui/toast.tsx'
import { InstallRow, UpdateRow } from '#web/app-install/app-rows.tsx'
import { startAppWorker, useUpdateIsReady } from '#web/app-install/app-worker.ts'
import { useInstallOffer, watchInstallOffer } from '#web/app-install/install-offer.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { signIn } from '#web/session/session.ts'
import { hasOpenWork, watchForms } from '#web/app-install/open-work.ts'
import { UpdateToast } from '#web/app-install/update-toast.tsx'

/** Simulates a service worker, with the members that the app uses. */
class Worker extends EventTarget {
  state = 'installing'
  readonly postMessage = vi.fn<(message: object, transfer: unknown[]) => void>()
  become(state: string): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}
class Registration extends EventTarget {
  waiting: Worker | null = null
  installing: Worker | null = null
  readonly active = new Worker()
  readonly update = vi.fn<() => Promise<undefined>>(async () => undefined)
  /** Simulates that the browser has loaded a new version. */
  install(): Worker {
    const worker = new Worker()
    this.installing = worker
    this.dispatchEvent(new Event('updatefound'))
    this.waiting = worker
    worker.become('installed')
    return worker
  }
}

type Register = (address: string, options: object) => Promise<Registration | undefined>
let registration: Registration
let container: EventTarget & { controller: object | null; register: Mock<Register>; ready: Promise<unknown> }
const reload = vi.fn<() => void>()

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true)
  registration = new Registration()
  container = Object.assign(new EventTarget(), {
    controller: {},
    register: vi.fn<Register>(async () => registration),
    ready: Promise.resolve(registration),
  })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container })
  vi.spyOn(location, 'reload').mockImplementation(reload)
  reload.mockClear()
})
afterEach(() => {
  sessionStorage.clear()
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Menu() {
  return useUpdateIsReady() ? <UpdateRow /> : null
}

describe('open work', () => {
  it('a changed form counts as open work until the user leaves its page, and an order counts until its reply', () => {
    const stop = watchForms()
    expect(hasOpenWork()).toBe(false)
    const form = document.createElement('form')
    const field = document.createElement('input')
    form.append(field)
    document.body.append(form)
    expect(hasOpenWork()).toBe(false)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    expect(hasOpenWork()).toBe(true)
    form.remove()
    expect(hasOpenWork()).toBe(false)
    signIn({ token: 'token', user: aUser({ id: 'ada' }) })
    sessionStorage.setItem('pending_orders', '[{"userId":"bob"}]')
    expect(hasOpenWork(), 'an order of another user').toBe(false)
    sessionStorage.setItem('pending_orders', '[{"userId":"bob"},{"userId":"ada"}]')
    expect(hasOpenWork()).toBe(true)
    stop()
  })
})

describe('the worker', () => {
  it('a secure page registers the worker without the HTTP cache, and tells the worker which files the page has used', async () => {
    vi.stubGlobal('isSecureContext', false)
    await startAppWorker()
    expect(container.register).not.toHaveBeenCalled()
    vi.stubGlobal('isSecureContext', true)
    await startAppWorker()
    expect(registration.update, 'it looks for a new version').toHaveBeenCalledOnce()
    expect(container.register).toHaveBeenCalledExactlyOnceWith('/sw.js', { updateViaCache: 'none' })
    expect(registration.active.postMessage).toHaveBeenCalledExactlyOnceWith({ used: [] }, [])
  })

  it('the page works without a worker where workers are blocked', async () => {
    container.register.mockRejectedValue(new DOMException('blocked', 'SecurityError'))
    await expect(startAppWorker()).resolves.toBeUndefined()
    container.register.mockResolvedValue(undefined)
    await expect(startAppWorker()).resolves.toBeUndefined()
    expect(registration.active.postMessage).not.toHaveBeenCalled()
  })
})

describe('a new version', () => {
  it('a new version is offered in the menu, refused while a form is changed, and started with a reload', async () => {
    const stop = watchForms()
    // The user types before the worker is registered.
    const form = document.createElement('form')
    document.body.append(form)
    form.dispatchEvent(new Event('input', { bubbles: true }))
    await startAppWorker()
    render(<Menu />)
    expect(screen.queryByRole('button')).toBeNull()
    act(() => void registration.install())
    const { postMessage } = registration.waiting as Worker
    fireEvent.click(screen.getByRole('button', { name: /New version ready/ }))
    expect(screen.getByText('Finish the open order or form first.')).toBeTruthy()
    expect(postMessage).not.toHaveBeenCalled()

    form.remove()
    fireEvent.click(screen.getByRole('button', { name: /New version ready/ }))
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ activate: true }, [])
    expect(reload).not.toHaveBeenCalled()
    container.dispatchEvent(new Event('controllerchange'))
    expect(reload).toHaveBeenCalledOnce()
    stop()
  })

  it('a new version is offered after ten minutes without a press or a key', async () => {
    await startAppWorker()
    act(() => void registration.install())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    render(
      <ToastProvider dismissLabel="Dismiss">
        <UpdateToast />
      </ToastProvider>,
    )
    await act(() => vi.advanceTimersByTimeAsync(9 * 60_000))
    globalThis.dispatchEvent(new Event('pointerdown'))
    await act(() => vi.advanceTimersByTimeAsync(9 * 60_000))
    expect(screen.queryByText('New version ready')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    vi.useRealTimers()
    expect(await screen.findByText('New version ready')).toBeTruthy()
  })
})

describe('installing', () => {
  function Offer() {
    const offer = useInstallOffer()
    return offer === null ? <p>none</p> : <InstallRow offer={offer} />
  }

  it('the install row opens the dialogue of the browser once for each offer, and then disappears', async () => {
    watchInstallOffer()
    render(<Offer />)
    expect(screen.getByText('none')).toBeTruthy()
    const prompt = vi.fn<() => Promise<undefined>>(async () => undefined)
    const offered = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
    act(() => void globalThis.dispatchEvent(offered))
    expect(offered.defaultPrevented, 'no banner of the browser').toBe(true)
    fireEvent.click(screen.getByRole('button', { name: /Install app/ }))
    expect(prompt).toHaveBeenCalledOnce()
    expect(screen.getByText('none')).toBeTruthy()
  })

  it('the install row names the two buttons to tap on an iPhone', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
    render(<Offer />)
    expect(screen.queryByRole('list')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /Install app/ }))
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Tap Share',
      'Tap Add to Home Screen',
    ])
  })
})
