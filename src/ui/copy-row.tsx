import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'

const COPIED_FOR_MS = 2_000

interface CopyRowProps {
  /** An address, a reference, a hash: shown whole, broken anywhere. */
  text: string
  copyLabel: string
  copiedLabel: string
  className?: string | undefined
}

/** Something to copy, with a button that says for two seconds that it did. */
export function CopyRow({ text, copyLabel, copiedLabel, className }: CopyRowProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Not allowed by the browser. The text is selectable, and the button goes on saying Copy.
    }
  }

  return (
    <div className={className}>
      <div className="flex items-center gap-2 rounded-field bg-surface-2 py-2 ps-3.5 pe-2">
        <span className="mono min-w-0 flex-1 break-all select-all">{text}</span>
        <Button variant="secondary" size="s" onClick={copy} icon={copied ? <Check size={16} /> : <Copy size={16} />}>
          <span aria-live="polite">{copied ? copiedLabel : copyLabel}</span>
        </Button>
      </div>
    </div>
  )
}
