import Download from 'lucide-react/icons/download'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { cx } from '#ui/cx.ts'
import { addressOf } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface ExportLinksProps {
  /** A list, or another call with a CSV file. */
  call: StaffCall
  params?: Readonly<Record<string, string>>
  filters: Readonly<Record<string, string>>
  /** Smaller links, for a list that is only one part of a page. */
  small?: boolean
}

/**
 * Links to export a list as CSV for spreadsheets or for programs. Spreadsheets need the byte-order mark to read UTF-8;
 * programs do not want it.
 */
export function ExportLinks({ call, params = {}, filters, small = false }: ExportLinksProps) {
  const look = cx(
    'inline-flex min-h-11 items-center gap-2 font-semibold hover:bg-surface-2 lg:min-h-9',
    small ? 'px-3 text-caption text-fg-2' : 'px-3.5',
  )
  return (
    <span
      className={cx(
        'inline-flex overflow-hidden rounded-chip',
        !small && 'divide-x divide-line-strong shadow-[inset_0_0_0_1px_var(--line-strong)] rtl:divide-x-reverse',
      )}
    >
      <a
        href={addressOf(call, { params, query: filters }, '.csv')}
        download
        title={t('common.export_hint')}
        className={look}
      >
        <Download size={small ? 14 : 16} aria-hidden="true" />
        {t('common.export')}
      </a>
      <a
        href={addressOf(call, { params, query: { ...filters, bom: 'no' } }, '.csv')}
        download
        title={t('common.export_plain_hint')}
        className={look}
      >
        {t('common.export_plain')}
      </a>
    </span>
  )
}
