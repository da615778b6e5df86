import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Button } from '#ui/button.tsx'
import { useCopy } from '#ui/use-copy.ts'

export interface CopyLabels {
  copy: string
  copied: string
  failed: string
}

interface CopyButtonProps {
  text: string
  labels: CopyLabels
  /** Label for screen readers: "Copy the code 123456". */
  spoken?: string | undefined
}

const ICONS = { idle: Copy, copied: Check, failed: TriangleAlert } as const

/** Copies a text and shows for 2 s whether that worked. */
export function CopyButton({ text, labels, spoken }: CopyButtonProps) {
  const { state, copy } = useCopy(text)
  const Icon = ICONS[state]
  const label = { idle: labels.copy, copied: labels.copied, failed: labels.failed }[state]
  return (
    <Button
      variant={state === 'copied' ? 'tint' : 'secondary'}
      size="s"
      aria-label={state === 'idle' ? spoken : label}
      icon={<Icon size={16} aria-hidden="true" />}
      onClick={copy}
    >
      <span aria-live="polite">{label}</span>
    </Button>
  )
}
