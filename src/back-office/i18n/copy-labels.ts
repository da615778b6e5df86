import type { CopyLabels } from '#ui/copy-button.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The labels of every copy button in the back office. */
export function copyLabels(): CopyLabels {
  return { copy: t('common.copy'), copied: t('common.copied'), failed: t('common.copy_failed') }
}
