import ImageUp from 'lucide-react/icons/image-up'
import { useId } from 'react'
import { Spinner } from '#ui/spinner.tsx'

interface PictureButtonProps {
  label: string
  isBusy: boolean
  onChoose: (file: File) => void
}

/** A button that opens the file picker for a picture. */
export function PictureButton({ label, isBusy, onChoose }: PictureButtonProps) {
  const id = useId()
  return (
    <span className="relative inline-flex min-h-11 items-center gap-2 rounded-chip px-3.5 font-semibold shadow-[inset_0_0_0_1px_var(--line-strong)] hover:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand lg:min-h-9">
      {isBusy ? <Spinner /> : <ImageUp size={16} aria-hidden="true" />}
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        disabled={isBusy}
        // Emptied after each choice, so that the same file can be chosen again.
        value=""
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onChoose(file)
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </span>
  )
}
