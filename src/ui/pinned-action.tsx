import { type ReactNode, useCallback } from 'react'

/** CSS variable for the position of toasts: above the pinned button, so that they never cover it. */
const TOASTS_ABOVE = '--toast-above'

/** The main button of a subpage, pinned to the bottom on phones. On larger screens the button is below the form. */
export function PinnedAction({ children }: { children: ReactNode }) {
  const keepToastsAbove = useCallback((element: HTMLElement | null) => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(TOASTS_ABOVE, `${element?.offsetHeight ?? 0}px`))
    if (element !== null) observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(TOASTS_ABOVE)
    }
  }, [])
  return (
    <div
      ref={keepToastsAbove}
      className="sticky bottom-0 z-10 -mx-(--gutter) mt-auto border-t border-line bg-surface px-(--gutter) pt-3 pb-[max(12px,env(safe-area-inset-bottom))] md:static md:mx-0 md:mt-0 md:border-0 md:bg-transparent md:px-0"
    >
      {children}
    </div>
  )
}
