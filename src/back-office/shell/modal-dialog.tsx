import { type ReactNode, useEffect, useRef } from 'react'
import { useLayer } from '#ui/close-on-back.ts'

interface ModalDialogProps {
  label: string
  open: boolean
  onClose: () => void
  className: string
  children: ReactNode
}

/** A native dialog over the page. Esc, Back, a press outside or a navigation closes it. */
export function ModalDialog({ label, open, onClose, className, children }: ModalDialogProps) {
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
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
      className={className}
    >
      {open && children}
    </dialog>
  )
}
