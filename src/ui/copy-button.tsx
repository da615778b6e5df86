import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'

const CONFIRMED_MS = 2_000

interface CopyButtonProps {
  text: string
  labels: { copy: string; copied: string }
  /** What is copied, for screen readers: "Copy the code 123456". */
  spoken?: string | undefined
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, labels, spoken }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      variant={copied ? 'tint' : 'secondary'}
      size="s"
      aria-label={copied ? labels.copied : spoken}
      icon={copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      onClick={() => void copyText(text).then(setCopied)}
    >
      <span aria-live="polite">{copied ? labels.copied : labels.copy}</span>
    </Button>
  )
}
