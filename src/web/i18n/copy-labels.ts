import type { CopyLabels } from '#ui/copy-button.tsx'
import { t } from '#web/i18n/t.ts'

/** The words of every button that copies. */
export function copyLabels(): CopyLabels {
  return { copy: t('common.copy'), copied: t('common.copied'), failed: t('common.copy_failed') }
}
