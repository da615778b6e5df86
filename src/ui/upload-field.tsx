import FileIcon from 'lucide-react/icons/file'
import FileX from 'lucide-react/icons/file-x'
import ImageUp from 'lucide-react/icons/image-up'
import X from 'lucide-react/icons/x'
import { useEffect, useId, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { useFieldNotes } from '#ui/field.tsx'
import { IconButton } from '#ui/icon-button.tsx'

interface UploadFieldProps {
  /** The label, such as "Add payment receipt". */
  label: string
  /** Types and size: "PNG, JPG or PDF, up to 5 MB". */
  rules: string
  /** The value of the `accept` attribute of the input: "image/png,image/jpeg". */
  accept: string
  file: File | null
  onChange: (file: File | null) => void
  removeLabel: string
  error?: string | undefined
}

/** A field for one file: a dashed box while empty, then name, size and preview. It does not check the file. */
export function UploadField({ label, rules, accept, file, onChange, removeLabel, error }: UploadFieldProps) {
  const id = useId()
  const notes = useFieldNotes(id, undefined, error)
  return (
    <div>
      <div
        className={cx(
          'relative flex min-h-16 items-center gap-3 rounded-field ps-4 pe-2',
          file === null && 'border-[1.5px] border-dashed border-line-strong',
          file !== null && 'bg-surface',
          file !== null && !error && 'shadow-[inset_0_0_0_1px_var(--line-strong)]',
          error && 'shadow-[inset_0_0_0_2px_var(--danger)]',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
        )}
      >
        {file === null ? (
          <ImageUp size={20} strokeWidth={1.75} className="text-brand" aria-hidden="true" />
        ) : (
          <Thumbnail file={file} broken={error !== undefined && error !== ''} />
        )}
        <label htmlFor={id} className="min-w-0 flex-1 py-2">
          <span className="block text-small wrap-anywhere font-semibold">{file === null ? label : file.name}</span>
          <span className="block text-label text-fg-2">{file === null ? rules : sizeText(file.size)}</span>
        </label>
        <input
          {...notes.aria}
          id={id}
          type="file"
          accept={accept}
          // Reset after each choice, so that the same file can be chosen again after removing it.
          value=""
          onChange={(event) => onChange(event.target.files?.[0] ?? null)}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
        {file !== null && (
          <IconButton
            label={removeLabel}
            onClick={() => onChange(null)}
            icon={<X size={18} />}
            className="relative z-1"
          />
        )}
      </div>
      {notes.below}
    </div>
  )
}

function Thumbnail({ file, broken }: { file: File; broken: boolean }) {
  const [url, setUrl] = useState<string | null>(null)
  const isImage = file.type.startsWith('image/') && !broken
  useEffect(() => {
    if (!isImage) return undefined
    const reader = new FileReader()
    reader.addEventListener('load', () => setUrl(typeof reader.result === 'string' ? reader.result : null))
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file, isImage])
  if (!isImage || url === null) {
    const Icon = broken ? FileX : FileIcon
    return <Icon size={20} strokeWidth={1.75} className="text-fg-2" aria-hidden="true" />
  }
  return <img src={url} alt="" className="size-10 rounded-small object-cover" />
}

/** Formats a size in decimal units, as phones do: "2.4 MB", "318 KB". */
function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1_000))} KB`
}
