import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { RecoveryCodes } from '#web/screens/security/recovery-codes.tsx'

afterEach(() => vi.restoreAllMocks())

it('F44: the downloaded file of recovery codes states what they are', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:codes'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  render(<RecoveryCodes codes={['AAAA-BBBB', 'CCCC-DDDD']} onConfirm={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  expect(names).toEqual(['fairwick-recovery-codes.txt'])
  const text = (await saved[0]?.text()) ?? ''
  expect(text.split('\r\n')).toEqual(expect.arrayContaining(['Fairwick: Recovery codes', 'AAAA-BBBB', 'CCCC-DDDD']))
  expect(saved[0]?.type).toBe('text/plain')
})
