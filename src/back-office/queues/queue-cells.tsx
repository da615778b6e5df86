import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Avatar } from '#ui/symbol-mark.tsx'
import { age, isOverdue } from '#back-office/i18n/format.ts'

/** The username above the reference. */
export function PersonCell({ username, trx }: { username: string; trx: string }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar name={username} size={28} className="max-md:hidden" />
      <span className="min-w-0">
        <span className="block truncate font-list">{username}</span>
        <span className="mono block whitespace-nowrap text-caption text-fg-3">{trx}</span>
      </span>
    </span>
  )
}

/** A value above its explanation. */
export function TwoLines({ first, second, mono = false }: { first: ReactNode; second: ReactNode; mono?: boolean }) {
  return (
    <span className="block min-w-0">
      <span className="block truncate font-list">{first}</span>
      <span className={cx('block truncate text-caption text-fg-3', mono && 'mono')}>{second}</span>
    </span>
  )
}

/** The waiting time or the time to the decision; a warning colour marks an overdue payment. */
export function AgeCell({ row }: { row: { created_at: string; decided_at: string | null } }) {
  const { created_at: from, decided_at: until } = row
  return (
    <span className={cx('num whitespace-nowrap', until === null && isOverdue(from) && 'font-semibold text-warn')}>
      {age(from, until === null ? undefined : Date.parse(until))}
    </span>
  )
}
