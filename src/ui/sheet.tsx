import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { useLayer } from '#ui/close-on-back.ts'
import { useDragToClose } from '#ui/use-drag-to-close.ts'

interface SheetProps {
  open: boolean
  /** Called on Esc, Back, the X, a press outside or a drag down. The parent must then set `open` to false. */
  onClose: () => void
  title: ReactNode
  /** Text below the title. */
  subtitle?: ReactNode
  /** Content before the title: a direction tile, a mark. */
  mark?: ReactNode
  closeLabel: string
  children: ReactNode
  /** Content pinned below the scrolling part: the submit button. */
  footer?: ReactNode
  /** False for the order sheet, so that the chart behind it stays usable. */
  modal?: boolean | undefined
  className?: string | undefined
}

/**
 * A sheet from the bottom on phones, and a centred dialog of 440 px on tablets and larger screens. Sheets are native
 * modal dialogs, so the browser traps the focus, closes the dialog on Esc and makes the rest of the page inert.
 */
export function Sheet(props: SheetProps) {
  const { open, onClose, title, subtitle, mark, closeLabel, children, footer, modal = true, className } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const shown = useOpenState(dialog, { open, modal })
  usePressOutside(dialog, { active: open && modal, onPress: onClose })
  const drag = useDragToClose(onClose)
  useLayer(open, onClose)

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // The parent decides: the dialog stays open until `open` changes.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        if (modal) return
        if (event.key === 'Tab') keepFocus(event)
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      className={cx('sheet', className)}
    >
      {shown && (
        <div className="px-4 pt-2 pb-[max(16px,env(safe-area-inset-bottom))]">
          <div {...drag} className="touch-none md:hidden">
            <div className="mx-auto mb-2 h-1 w-9 rounded-full bg-surface-3" />
          </div>
          <div className="flex items-center gap-3 md:pt-2">
            {mark}
            <div className="min-w-0 flex-1">
              <h2 id={titleId} data-sheet-title tabIndex={-1} className="text-heading">
                {title}
              </h2>
              {subtitle !== undefined && <p className="text-small text-fg-2">{subtitle}</p>}
            </div>
            <IconButton label={closeLabel} onClick={onClose} icon={<X size={20} />} className="-me-2" />
          </div>
          <div className="pt-2">{children}</div>
          {footer !== undefined && <div className="sticky bottom-0 bg-surface pt-3">{footer}</div>}
        </div>
      )}
    </dialog>
  )
}

/**
 * Opens and closes the element according to `open` and returns the focus afterwards. Returns whether to render the
 * content: from opening until the sheet has slid out.
 */
function useOpenState(dialog: RefObject<HTMLDialogElement | null>, state: { open: boolean; modal: boolean }): boolean {
  const { open, modal } = state
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const element = dialog.current
    if (!element || !open) return undefined
    const before = document.activeElement
    if (modal) element.showModal()
    else element.show()
    // The browser would focus the X. The title says where the user is; `data-initial-focus` marks a better target.
    const first = element.querySelector<HTMLElement>('[data-initial-focus]')
    const target = first ?? element.querySelector<HTMLElement>('[data-sheet-title]')
    target?.focus()
    return () => {
      if (element.open) element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      const slidingOut = element.getAnimations?.() ?? []
      if (slidingOut.length === 0) return
      setLeaving(true)
      Promise.allSettled(slidingOut.map((animation) => animation.finished)).then(
        () => setLeaving(false),
        () => undefined, // `allSettled` never rejects.
      )
    }
  }, [dialog, open, modal])
  return open || leaving
}

const TABBABLE = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex="0"]']
  .map((control) => `${control}:not([disabled]):not([tabindex="-1"])`)
  .join()

/**
 * Keeps the focus in a sheet that is not modal: Tab leads from its last control to its first control, and Shift+Tab
 * back. Browsers do this for modal sheets.
 */
function keepFocus(event: KeyboardEvent<HTMLDialogElement>) {
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>(TABBABLE)]
  // -1: the title has the focus.
  const at = controls.findIndex((control) => control === document.activeElement)
  const isAtEnd = event.shiftKey ? at <= 0 : at === -1 || at === controls.length - 1
  const next = isAtEnd ? controls.at(event.shiftKey ? -1 : 0) : undefined
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Detects presses on the backdrop: their target is the dialog, outside its box. */
function usePressOutside(
  dialog: RefObject<HTMLDialogElement | null>,
  { active, onPress }: { active: boolean; onPress: () => void },
) {
  useEffect(() => {
    const element = dialog.current
    if (!element || !active) return undefined
    const pressed = (event: PointerEvent) => {
      if (event.target !== element) return
      const box = element.getBoundingClientRect()
      const inside =
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top &&
        event.clientY <= box.bottom
      if (!inside) onPress()
    }
    element.addEventListener('pointerdown', pressed)
    return () => element.removeEventListener('pointerdown', pressed)
  }, [dialog, active, onPress])
}
