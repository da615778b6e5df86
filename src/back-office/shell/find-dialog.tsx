/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no element shows a list of links that a text field controls */
import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { type FoundKind, MAX_FIND_LENGTH } from '#contract/back-office/find.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import type { BackOfficePage } from '#back-office/shell/back-office-page.ts'
import { ModalDialog } from '#back-office/shell/modal-dialog.tsx'
import { type BackOfficeKey, t } from '#back-office/i18n/t.ts'

/** 120 ms: the pause in typing after which the search is sent to the server. */
const QUIET_MS = 120

const PAGE_OF: Readonly<Record<FoundKind, string>> = {
  user: '/users',
  order: '/orders',
  deposit: '/deposits',
  withdrawal: '/withdrawals',
  ticket: '/tickets',
  symbol: '/symbols',
}

interface Item {
  readonly href: string
  readonly title: string
  readonly line: string
}
interface Group {
  readonly name: BackOfficeKey
  readonly items: readonly Item[]
}

interface FindProps {
  /** The pages that this staff member may see. */
  pages: readonly BackOfficePage[]
  open: boolean
  onClose: () => void
}

/** The search over users, orders, payments, symbols and pages. The arrow keys select a result, and Enter opens it. */
export function FindDialog({ open, onClose, pages }: FindProps) {
  return (
    <ModalDialog
      label={t('find.label')}
      open={open}
      onClose={onClose}
      className="mx-auto mt-[10dvh] max-h-[80dvh] w-[min(560px,calc(100vw-32px))] overflow-y-auto rounded-card border border-line bg-surface text-fg backdrop:bg-scrim"
    >
      <Find pages={pages} onClose={onClose} />
    </ModalDialog>
  )
}

function Find({ pages, onClose }: Omit<FindProps, 'open'>) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const navigate = useNavigate()
  const list = useId()
  const { groups, isPending, hasFailed } = useFound(text.trim(), pages)
  const items = groups.flatMap((group) => group.items)
  const at = Math.min(chosen, items.length - 1)
  const go = ({ href }: Item) => {
    onClose()
    // This navigation replaces the history entry of the dialog.
    void navigate(href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setChosen((at + step + items.length) % items.length)
    }
    const item = items[at]
    if (event.key === 'Enter' && item !== undefined) go(item)
  }
  return (
    <>
      <label className="sticky top-0 flex h-14 items-center gap-3 border-b border-line bg-surface px-4">
        <Search size={18} className="text-fg-3" aria-hidden="true" />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type
          autoFocus
          // Not `search`: there, Escape would clear the text instead of closing the dialog.
          type="text"
          enterKeyHint="search"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={list}
          aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
          aria-label={t('find.hint')}
          placeholder={t('find.hint')}
          value={text}
          maxLength={MAX_FIND_LENGTH}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
          className="w-full min-w-0 bg-transparent outline-none placeholder:text-fg-3"
        />
      </label>
      <div id={list} role="listbox" aria-label={t('find.label')} className="p-2">
        {groups.map(({ name, items: own }) => (
          <div key={name} role="group" aria-label={t(name)} className="pb-2">
            <p className="px-2.5 py-1 text-caption font-medium text-fg-3">{t(name)}</p>
            {own.map((item) => {
              const index = items.indexOf(item)
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys of the combobox choose and open
                <div
                  key={item.href}
                  id={`${list}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  onClick={() => go(item)}
                  onPointerMove={() => setChosen(index)}
                  className={cx(
                    'flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-small px-2.5',
                    index === at && 'bg-surface-3',
                  )}
                >
                  <b className="min-w-0 truncate font-semibold">{item.title}</b>
                  <span className="min-w-0 truncate text-small text-fg-2">{item.line}</span>
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <output className="block px-4 pb-4 text-fg-2 empty:hidden">
        {hasFailed ? t('find.failed') : items.length === 0 && text.trim() !== '' && !isPending ? t('find.none') : ''}
      </output>
    </>
  )
}

/** Returns the search results for the text, as soon as typing pauses. Pages are searched in the browser. */
function useFound(text: string, pages: readonly BackOfficePage[]) {
  const [sought, setSought] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSought(text), QUIET_MS)
    return () => clearTimeout(timer)
  }, [text])
  const found = useStaffQuery(staffCalls.staffFind, { query: { q: sought } }, { enabled: sought !== '' })
  const named = pages.map(({ href, name }) => ({ href, title: t(name), line: '' }))
  const ownPages = named.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
  const isCurrent = sought === text && text !== ''
  const groups: Group[] = isCurrent
    ? (found.data?.groups ?? []).map(({ kind, items }) => ({
        name: `find.kind_${kind}` as const,
        items: items.map(({ id, title, line }) => ({ href: `${PAGE_OF[kind]}/${id}`, title, line })),
      }))
    : []
  if (ownPages.length > 0) groups.push({ name: 'find.kind_page', items: ownPages })
  return { groups, isPending: text !== '' && (!isCurrent || found.isPending), hasFailed: isCurrent && found.isError }
}
