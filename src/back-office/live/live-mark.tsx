import { cx } from '#ui/cx.ts'
import { useStore } from '#ui/state/store.ts'
import { connection } from '#back-office/live/follow-changes.ts'
import { t } from '#back-office/i18n/t.ts'

const DOT = { connecting: 'bg-line-strong', live: 'bg-ok', lost: 'bg-warn' } as const

/** The mark that shows whether changes by other staff members reach this page live. */
export function LiveMark() {
  const state = useStore(connection)
  return (
    <output className="flex items-center gap-1.5 px-2 pb-2 text-caption text-fg-3">
      <i aria-hidden="true" className={cx('size-2 rounded-full', DOT[state])} />
      {t(`live.${state}`)}
    </output>
  )
}
