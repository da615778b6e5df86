import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { copyText } from '#ui/copy-text.ts'
import { t } from '#admin/t.ts'

const COPIED_FOR_MS = 2_000

/** A value to be typed elsewhere, whole, with a way to copy it. */
export function CopyValue({ name, value }: { name: string; value: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <span className="inline-flex items-start gap-1.5">
      <span className="mono min-w-0 break-all">{value}</span>
      <button
        type="button"
        aria-label={copied ? t('common.copied') : t('common.copy_of', { name })}
        title={t('common.copy')}
        onClick={() => void copyText(value).then(setCopied)}
        className="hit mt-0.5 shrink-0 rounded-small text-brand"
      >
        {copied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
        <output className="sr-only">{copied && t('common.copied')}</output>
      </button>
    </span>
  )
}
