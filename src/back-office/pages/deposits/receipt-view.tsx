import FileText from 'lucide-react/icons/file-text'
import { t } from '#back-office/i18n/t.ts'

interface ReceiptViewProps {
  file: { readonly label: string; readonly name: string; readonly media_type: string }
}

/** A proof of payment: a picture, or a link to a document. Both open in a new tab. */
export function ReceiptView({ file }: ReceiptViewProps) {
  const address = `/api/admin/uploads/${encodeURIComponent(file.name)}`
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="block rounded-field bg-surface-2 p-2 hover:bg-surface-3"
    >
      {file.media_type.startsWith('image/') ? (
        <img src={address} alt={file.label} className="max-h-[320px] w-full rounded-small object-contain" />
      ) : (
        <span className="flex min-h-11 items-center gap-2 px-2">
          <FileText size={18} aria-hidden="true" />
          {t('deposits.open_file')}
        </span>
      )}
    </a>
  )
}
