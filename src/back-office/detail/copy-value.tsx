import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useCopy } from '#ui/use-copy.ts'
import { t } from '#back-office/i18n/t.ts'

const ICONS = { idle: Copy, copied: Check, failed: TriangleAlert } as const

/** A complete value with a copy button, for use in another program. */
export function CopyValue({ name, value }: { name: string; value: string }) {
  const { state, copy } = useCopy(value)
  const said = state === 'idle' ? undefined : t(state === 'copied' ? 'common.copied' : 'common.copy_failed')
  const Icon = ICONS[state]
  return (
    <span className="inline-flex items-start gap-1.5">
      <span className="mono min-w-0 break-all select-all">{value}</span>
      <button
        type="button"
        aria-label={said ?? t('common.copy_of', { name })}
        title={t('common.copy')}
        onClick={copy}
        className="hit mt-0.5 shrink-0 rounded-small text-brand"
      >
        <Icon size={15} aria-hidden="true" />
        <output className="sr-only">{said}</output>
      </button>
    </span>
  )
}
