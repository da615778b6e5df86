import { renderSVG } from 'uqr'
import { CopyRow } from '#ui/copy-row.tsx'
import { copyLabels } from '#back-office/i18n/copy-labels.ts'
import { t } from '#back-office/i18n/t.ts'

/** Instructions for the authenticator app: a QR code to scan, or the secret to type. */
export function EnrolHelp({ secret, uri }: { secret: string; uri: string }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-fg-2">{t('sign_in.enrol_help')}</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`}
        alt={t('sign_in.enrol_square')}
        width={200}
        height={200}
        className="self-center rounded-card bg-white p-2"
      />
      <p className="-mb-2 text-caption text-fg-3">{t('sign_in.enrol_secret')}</p>
      <CopyRow text={secret} labels={copyLabels()} />
    </div>
  )
}
