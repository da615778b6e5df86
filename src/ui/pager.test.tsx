// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef, useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Pager, shownPages } from '#ui/pager.tsx'

afterEach(cleanup)

function History({ pageCount }: { pageCount: number }) {
  const [page, setPage] = useState(1)
  const top = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h2 ref={top} tabIndex={-1}>
        Page {page} of the list
      </h2>
      <Pager
        page={page}
        pageCount={pageCount}
        onChange={setPage}
        listTop={top}
        labels={{ pager: 'Pages', previous: 'Previous', next: 'Next', page: (number) => `Page ${number}` }}
      />
    </>
  )
}

describe('Pager', () => {
  it('the pager renders nothing for one page', () => {
    render(<History pageCount={1} />)
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  it('SC51: the pager stops at both ends, marks the page and moves the focus to the top of the list', async () => {
    const user = userEvent.setup()
    render(<History pageCount={2} />)
    const previous = screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' })
    const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next' })
    expect(previous.disabled).toBe(true)

    await user.click(next)
    expect(screen.getByRole('button', { name: 'Page 2' }).getAttribute('aria-current')).toBe('page')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Page 2 of the list' }))
    expect(next.disabled).toBe(true)

    await user.click(screen.getByRole('button', { name: 'Page 1' }))
    expect(screen.getByRole('heading', { name: 'Page 1 of the list' })).toBeTruthy()
  })

  it('SC51: the pager shows up to three numbers around the current page', () => {
    expect(shownPages(1, 2)).toEqual([1, 2])
    expect(shownPages(1, 9)).toEqual([1, 2, 3])
    expect(shownPages(5, 9)).toEqual([4, 5, 6])
    expect(shownPages(9, 9)).toEqual([7, 8, 9])
  })
})
