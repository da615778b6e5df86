import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import X from 'lucide-react/icons/x'
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { freePlace, type Stretch } from '#ui/free-place.ts'

const SHOWN_MS = 5_000

export interface ToastMessage {
  tone: 'success' | 'danger' | 'info'
  text: ReactNode
  /** One action: "Open". */
  action?: { label: ReactNode; onPress: () => void } | undefined
}

interface Queued extends ToastMessage {
  id: number
}

const ToastContext = createContext<(message: ToastMessage) => void>(() => {
  throw new Error('useToast needs a ToastProvider above it')
})

/** Returns a function that shows a short message above the bottom bar. Further messages are queued. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext)
}

interface ToastProviderProps {
  dismissLabel: string
  /** Display time. Tests pass a short one. */
  shownMs?: number | undefined
  children: ReactNode
}

/**
 * Holds the queue and renders the region. Shows one toast at a time for 5 s, paused while it is pointed at or focused.
 */
export function ToastProvider({ dismissLabel, shownMs = SHOWN_MS, children }: ToastProviderProps) {
  const [queue, setQueue] = useState<readonly Queued[]>([])
  const nextId = useRef(0)
  const show = useCallback((message: ToastMessage) => {
    nextId.current += 1
    const id = nextId.current
    setQueue((waiting) => [...waiting, { ...message, id }])
  }, [])
  const dismiss = useCallback(() => setQueue((waiting) => waiting.slice(1)), [])
  const current = queue[0]
  const region = useRef<HTMLOutputElement>(null)
  useFreePlace(region, current?.id ?? null)

  return (
    <ToastContext value={show}>
      {children}
      <output
        ref={region}
        data-toast={current && ''}
        className="pointer-events-none fixed inset-x-4 bottom-[calc(var(--toast-above,var(--tab-h))+12px+env(safe-area-inset-bottom))] z-40 mx-auto max-w-[440px] md:bottom-6"
      >
        {current && (
          <ToastBar key={current.id} message={current} shownMs={shownMs} dismissLabel={dismissLabel} onDone={dismiss} />
        )}
      </output>
    </ToastContext>
  )
}

const ICONS = {
  success: <Check size={18} className="text-ink-ok" aria-hidden="true" />,
  danger: <CircleAlert size={18} className="text-ink-danger" aria-hidden="true" />,
  info: <Info size={18} className="text-ink-brand" aria-hidden="true" />,
} as const

interface ToastBarProps {
  message: ToastMessage
  shownMs: number
  dismissLabel: string
  onDone: () => void
}

function ToastBar({ message, shownMs, dismissLabel, onDone }: ToastBarProps) {
  const [paused, setPaused] = useState(false)
  useTimeOut({ afterMs: shownMs, paused, onDone })
  const { action } = message
  return (
    <div
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      // The toast fades in without a movement, so that its buttons are in place from the first frame.
      className="pointer-events-auto flex items-center gap-2.5 rounded-field bg-ink py-1 ps-3.5 pe-1 text-small font-medium text-on-ink shadow-e2 transition-opacity duration-(--t-base) starting:opacity-0"
    >
      {ICONS[message.tone]}
      <span className="min-w-0 flex-1 py-1.5">{message.text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            action.onPress()
            onDone()
          }}
          className="h-11 px-2 font-semibold text-ink-brand focus-visible:outline-ink-brand"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={dismissLabel}
        onClick={onDone}
        className="grid h-11 w-9 place-items-center text-on-ink-2 focus-visible:outline-ink-brand"
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  )
}

/** Minimum distance from other elements and from the edge of the window. */
const MARGIN = 8
/** The minimum size of a hit area, as in the `hit` utility. */
const MIN_HIT = 44
const PRESSABLE = 'a[href], button, input, select, textarea, summary, [role=tab]'

/**
 * Moves the region up until it covers no pressable element, and again when a pressable element moves under the region.
 * If the screen has no such position, the region stays at the bottom, where users can scroll the page.
 */
function useFreePlace(region: RefObject<HTMLElement | null>, shown: number | null): void {
  useLayoutEffect(() => {
    const element = region.current
    if (element === null || shown === null) return undefined
    let [frame, placed] = [0, false]
    const place = () => {
      frame = 0
      const obstacles = obstaclesBeside(element)
      const now = element.getBoundingClientRect()
      // A placed toast does not move, so that "Open" stays under the user's thumb.
      if (placed && obstacles.every((one) => one.bottom <= now.top || one.top >= now.bottom)) return
      element.style.setProperty('translate', '')
      const { top, bottom, height } = element.getBoundingClientRect()
      const free = freePlace(obstacles, height + MARGIN, { top: 0, bottom: bottom + MARGIN / 2 })
      if (free !== null) element.style.setProperty('translate', `0 ${free + MARGIN / 2 - top}px`)
      placed = true
    }
    const placeSoon = () => {
      frame ||= requestAnimationFrame(place)
    }
    place()
    const changes = new MutationObserver(placeSoon)
    changes.observe(document.body, { childList: true, subtree: true })
    const listeners = new AbortController()
    addEventListener('scroll', placeSoon, { signal: listeners.signal, passive: true, capture: true })
    addEventListener('resize', placeSoon, { signal: listeners.signal })
    return () => {
      changes.disconnect()
      listeners.abort()
      cancelAnimationFrame(frame)
      element.style.setProperty('translate', '')
    }
  }, [region, shown])
}

/** Returns the pressable elements in the columns that the element covers, except the buttons inside the element. */
function obstaclesBeside(element: HTMLElement): Stretch[] {
  const { left, right } = element.getBoundingClientRect()
  return [...document.querySelectorAll(PRESSABLE)]
    .filter((one) => !element.contains(one))
    .map((one) => ({ box: one.getBoundingClientRect(), isGrown: one.classList.contains('hit') }))
    .filter(({ box }) => box.width > 1 && box.height > 1 && box.right > left && box.left < right)
    .map(({ box, isGrown }) => {
      const grownBy = isGrown ? Math.max(0, MIN_HIT - box.height) / 2 : 0
      return { top: box.top - grownBy, bottom: box.bottom + grownBy }
    })
}

/** Calls `onDone` after `afterMs`. The time does not run while `paused`. */
function useTimeOut({ afterMs, paused, onDone }: { afterMs: number; paused: boolean; onDone: () => void }) {
  const leftMs = useRef(afterMs)
  useEffect(() => {
    if (paused) return undefined
    const startedAt = performance.now()
    const timer = setTimeout(onDone, leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - startedAt
    }
  }, [paused, onDone])
}
