import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import X from 'lucide-react/icons/x'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'

const SHOWN_MS = 5_000

export interface ToastMessage {
  tone: 'success' | 'danger' | 'info'
  text: ReactNode
  /** One thing to do about it: "Open". */
  action?: { label: ReactNode; onPress: () => void } | undefined
}

interface Queued extends ToastMessage {
  id: number
}

const ToastContext = createContext<(message: ToastMessage) => void>(() => {
  throw new Error('useToast needs a ToastProvider above it')
})

/** Shows a short message above the bottom bar. Several wait their turn. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext)
}

interface ToastProviderProps {
  dismissLabel: string
  /** Tests hand in a short time. */
  shownMs?: number | undefined
  children: ReactNode
}

/** Holds the queue and draws the region. One toast at a time, 5 s each, stopped while it is pointed at or focused. */
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

  return (
    <ToastContext value={show}>
      {children}
      <output className="pointer-events-none fixed inset-x-4 bottom-[calc(var(--toast-above,var(--tab-h))+12px+env(safe-area-inset-bottom))] z-40 mx-auto max-w-[440px] md:bottom-6">
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
      className="pointer-events-auto flex items-center gap-2.5 rounded-field bg-ink py-1 ps-3.5 pe-1 text-small font-medium text-on-ink shadow-e2 transition-[opacity,translate] duration-(--t-base) starting:translate-y-2 starting:opacity-0"
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

/** Calls back after a time that stands still while paused. */
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
