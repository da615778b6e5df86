import Search from 'lucide-react/icons/search'
import type { Ref } from 'react'
import { t } from '#web/i18n/t.ts'

interface MarketSearchProps {
  value: string
  onChange: (typed: string) => void
  ref?: Ref<HTMLInputElement> | undefined
  /** Shows the keyboard shortcut of the field. */
  hasKey?: boolean
  className?: string | undefined
}

/** The search field for all markets. */
export function MarketSearch({ value, onChange, ref, hasKey = false, className = '' }: MarketSearchProps) {
  return (
    <label
      className={`flex h-11 items-center gap-2 rounded-small bg-surface-2 px-3 has-focus-visible:outline-2 has-focus-visible:outline-brand lg:h-9.5 ${className}`}
    >
      <Search size={16} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
      <span className="sr-only">{t('trade.search')}</span>
      <input
        ref={ref}
        type="search"
        value={value}
        placeholder={t('trade.search')}
        onChange={(event) => onChange(event.target.value)}
        className="h-full min-w-0 flex-1 bg-transparent text-input outline-none placeholder:text-fg-3 lg:text-small"
      />
      {hasKey && (
        <kbd className="rounded-pill bg-surface-3 px-1.5 text-micro text-fg-2" title={t('trade.search_key')}>
          /
        </kbd>
      )}
    </label>
  )
}
