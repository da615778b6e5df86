import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '#back-office/i18n/t.ts'
import { useLayer } from '#ui/layers.ts'

/** The navigation on phones: a native dialog at the side. Esc, a press outside or a navigation closes it. */
export function NavDrawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayer(open, onClose)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Esc closes the dialog by keyboard
    <dialog
      ref={dialog}
      aria-label={t('nav.label')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
      className="m-0 h-dvh max-h-none w-[264px] bg-bg text-fg backdrop:bg-scrim"
    >
      {open && children}
    </dialog>
  )
}
