import Check from 'lucide-react/icons/check'
import { LANGUAGE_CODES, type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { cx } from '#ui/cx.ts'
import { t } from '#back-office/i18n/t.ts'

interface LanguageChipsProps {
  value: LanguageCode
  /** The languages that have a text. The other chips are marked as missing. */
  written: ReadonlySet<string>
  onChange: (code: LanguageCode) => void
}

/** A chip for each language, with a tick where a text exists. One chip is selected for editing. */
export function LanguageChips({ value, written, onChange }: LanguageChipsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset would not lay out as a row
    <div role="group" aria-label={t('content.language')} className="flex flex-wrap gap-1.5">
      {LANGUAGE_CODES.map((code) => {
        const isWritten = written.has(code)
        const { name } = LANGUAGES[code]
        return (
          <button
            key={code}
            type="button"
            aria-pressed={code === value}
            aria-label={t(isWritten ? 'content.written' : 'content.missing', { language: name })}
            onClick={() => onChange(code)}
            className={cx(
              'inline-flex min-h-9 items-center gap-1 rounded-chip px-2.5 text-label',
              code === value
                ? 'bg-brand-tint font-semibold text-brand shadow-[inset_0_0_0_1.5px_var(--brand)]'
                : isWritten
                  ? 'bg-surface-2 font-list text-fg hover:bg-surface-3'
                  : 'text-fg-3 shadow-[inset_0_0_0_1px_var(--line)] hover:bg-surface-2',
            )}
          >
            {isWritten && <Check size={14} strokeWidth={2.25} aria-hidden="true" />}
            <bdi>{name}</bdi>
          </button>
        )
      })}
    </div>
  )
}
