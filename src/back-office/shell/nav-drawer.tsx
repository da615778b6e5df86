import type { ReactNode } from 'react'
import { ModalDialog } from '#back-office/shell/modal-dialog.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The navigation on phones: a dialog at the side. */
export function NavDrawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <ModalDialog
      label={t('nav.label')}
      open={open}
      onClose={onClose}
      className="m-0 h-dvh max-h-none w-[264px] bg-bg text-fg backdrop:bg-scrim"
    >
      {children}
    </ModalDialog>
  )
}
