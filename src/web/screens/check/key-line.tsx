import { t } from '#web/i18n/t.ts'

/** The id of a signing key, as the check computed it. */
export function KeyLine({ kid }: { kid: string }) {
  return (
    <p className="mt-2 text-label text-fg-2">
      {t('check.key')}{' '}
      <span dir="ltr" className="mono break-all">
        {kid}
      </span>
    </p>
  )
}
