import type { CopyLabels } from '#ui/copy-button.tsx'
import { t } from '#web/i18n/t.ts'

/** The labels of every copy button. */
export function copyLabels(): CopyLabels {
  return { copy: t('common.copy'), copied: t('common.copied'), failed: t('common.copy_failed') }
}
