import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { type Choice, moveAmongChoices, tabStop } from '#ui/choices.ts'

export interface TabChoice<V extends string> extends Choice<V> {
  /** A small number next to the label. */
  count?: number | undefined
  /** Brand colour for open items. */
  countTone?: 'neutral' | 'brand' | undefined
  /** The letter that chooses the tab from the keyboard. */
  shortcut?: string | undefined
}

interface TabsProps<V extends string> {
  /** Name of the tab list for screen readers. */
  label: string
  /** Links tabs and panel: tab ids are `<id>-<value>`, the panel is `<id>-panel`. */
  id: string
  tabs: readonly TabChoice<V>[]
  value: V
  onChange: (value: V) => void
  size?: 'm' | 's' | undefined
  /** Content at the end of the row: the state of the market, a button. */
  end?: ReactNode
  className?: string | undefined
}

/**
 * Text tabs with an underline. Tabs that do not fit in one line wrap, so users see all tabs without scrolling. Put the
 * content in `<TabPanel id={id} value={value}>`.
 */
export function Tabs<V extends string>({ label, id, tabs, value, onChange, size = 'm', end, className }: TabsProps<V>) {
  const stop = tabStop(tabs, value)
  return (
    <div
      className={cx('flex shrink-0 flex-wrap items-stretch justify-between gap-x-3 border-b border-line', className)}
    >
      <div
        role="tablist"
        aria-label={label}
        data-choices
        className={cx('-mb-px flex min-h-11 max-w-full flex-wrap items-stretch', size === 'm' ? 'gap-5' : 'gap-4')}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-choice
            data-key={tab.shortcut}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            aria-label={tab.spoken}
            disabled={tab.disabled}
            tabIndex={tab.value === stop ? 0 : -1}
            onKeyDown={moveAmongChoices}
            onClick={() => onChange(tab.value)}
            className={cx(
              'relative flex min-h-11 items-center gap-1.5 text-start transition-colors duration-(--t-base) focus-visible:-outline-offset-2 disabled:opacity-45',
              size === 'm' ? 'text-body' : 'text-label',
              tab.value === value
                ? 'font-semibold text-fg after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-full after:bg-fg'
                : 'font-list text-fg-3 hover:text-fg-2',
            )}
          >
            {tab.label}
            {tab.count !== undefined && <Count tone={tab.countTone}>{tab.count}</Count>}
          </button>
        ))}
      </div>
      {end !== undefined && <div className="flex items-center text-label text-fg-3">{end}</div>}
    </div>
  )
}

interface TabPanelProps {
  id: string
  value: string
  children: ReactNode
  /** The panel scrolls by itself, so it can be focused even without focusable content. */
  scrolls?: boolean | undefined
  className?: string | undefined
}

export function TabPanel({ id, value, children, scrolls = false, className }: TabPanelProps) {
  return (
    <div
      role="tabpanel"
      tabIndex={scrolls ? 0 : undefined}
      id={`${id}-panel`}
      aria-labelledby={`${id}-${value}`}
      className={className}
    >
      {children}
    </div>
  )
}

/** A number in a small grey capsule. */
function Count({ children, tone = 'neutral' }: { children: ReactNode; tone?: 'neutral' | 'brand' | undefined }) {
  return (
    <span
      className={cx(
        'num h-4.5 min-w-4.5 rounded-full px-[5px] text-center text-[0.6875rem]/[1.125rem] font-semibold',
        tone === 'brand' ? 'bg-brand-tint text-brand' : 'bg-surface-3 text-fg-2',
      )}
    >
      {children}
    </span>
  )
}
