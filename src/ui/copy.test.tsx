import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CopyButton } from '#ui/copy-button.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { copyText } from '#ui/copy-text.ts'
import { shareLink } from '#ui/share-link.ts'

const LABELS = { copy: 'Copy', copied: 'Copied', failed: 'Could not copy' }

/** Simulates plain http: browsers have no clipboard API there, only the old command. */
function overPlainHttp({ commandWorks }: { commandWorks: boolean }): string[] {
  const copied: string[] = []
  vi.stubGlobal('navigator', { clipboard: undefined, share: undefined })
  Object.defineProperty(document, 'execCommand', {
    configurable: true,
    value: () => {
      const field = document.querySelector('textarea')
      copied.push(`${field?.parentElement?.tagName}: ${field?.value}`)
      return commandWorks
    },
  })
  return copied
}

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'execCommand')
})

describe('copying', () => {
  it('a row wraps prose between words only, and a hash anywhere', () => {
    render(<CopyRow text="Bought at 67,284.10" isProse labels={LABELS} />)
    render(<CopyRow text="9f86d081" labels={LABELS} />)
    expect(screen.getByText(/Bought/).className).not.toContain('break-all')
    expect(screen.getByText('9f86d081').className).toContain('break-all')
  })

  it.each([
    ['a button', <CopyButton key="1" text="FW-1" labels={LABELS} />],
    ['a row', <CopyRow key="1" text="FW-1" labels={LABELS} />],
  ])('F82: %s copies over plain http and says so', async (_, element) => {
    const user = userEvent.setup({ writeToClipboard: false })
    const copied = overPlainHttp({ commandWorks: true })
    render(element)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    expect(copied).toEqual(['BODY: FW-1'])
  })

  it.each([
    ['a button', <CopyButton key="1" text="FW-1" labels={LABELS} />],
    ['a row', <CopyRow key="1" text="FW-1" labels={LABELS} />],
  ])('F82: %s shows that copying failed', async (_, element) => {
    const user = userEvent.setup({ writeToClipboard: false })
    overPlainHttp({ commandWorks: false })
    render(element)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Could not copy' })).toBeTruthy()
  })

  it('F82: the button copies inside a modal dialog, although text outside the dialog cannot be selected', async () => {
    const copied = overPlainHttp({ commandWorks: true })
    document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>')
    expect(await copyText('secret')).toBe(true)
    expect(copied).toEqual(['DIALOG: secret'])
    document.querySelector('dialog')?.remove()
  })
})

describe('sharing a link', () => {
  const refused = (name: string) => () => Promise.reject(new DOMException('no', name))

  it.each([
    ['the system shares it', { share: () => Promise.resolve() }, 'shared'],
    ['the user thinks better of it', { share: refused('AbortError') }, 'dismissed'],
    [
      'the browser does not allow it',
      { share: refused('NotAllowedError'), clipboard: { writeText: () => Promise.resolve() } },
      'copied',
    ],
    ['there is nothing to share with', { clipboard: { writeText: () => Promise.resolve() } }, 'copied'],
  ] as const)('F82: %s', async (_, has, outcome) => {
    vi.stubGlobal('navigator', has)
    expect(await shareLink('https://example.com/check/1')).toBe(outcome)
  })

  it.each([
    [true, 'copied'],
    [false, 'failed'],
  ] as const)('F82: over plain http, where the old command works: %s', async (commandWorks, outcome) => {
    overPlainHttp({ commandWorks })
    expect(await shareLink('http://192.168.1.5/check/1')).toBe(outcome)
  })
})
