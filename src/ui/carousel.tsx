import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { prefersReducedMotion, useReducedMotion } from '#ui/use-reduced-motion.ts'

interface SlidesProps {
  /** Name of the slides for screen readers: "Highlights". */
  label: string
  slides: readonly { key: string; content: ReactNode }[]
  /** `kind` is the name of the control for screen readers: "carousel". */
  labels: { kind: string; pause: string; play: string; slide: (number: number) => string }
  /** Display time of each slide. */
  everyMs?: number | undefined
}

/**
 * A carousel of banners with CSS scroll snapping. It advances automatically until a user points at, touches or focuses
 * it, or presses pause. It does not advance under reduced motion.
 */
export function Slides({ label, slides, labels, everyMs = 1500 }: SlidesProps) {
  const track = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const [playing, setPlaying] = useState(true)
  const held = useHeld(track, () => setPlaying(false))
  const reduced = useReducedMotion()
  const runs = playing && !held && !reduced && slides.length > 1

  useEffect(() => {
    if (!runs) return undefined
    const timer = setInterval(() => {
      const list = track.current
      // A hidden page does not advance.
      if (list && !document.hidden) scrollToSlide(list, (nearestSlide(list) + 1) % slides.length)
    }, everyMs)
    return () => clearInterval(timer)
  }, [runs, everyMs, slides.length])

  return (
    <section aria-roledescription={labels.kind} aria-label={label}>
      <ul
        ref={track}
        // Arrow keys scroll it where the slides hold nothing to focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        onScroll={() => track.current && setCurrent(nearestSlide(track.current))}
        className="scroll-x relative flex snap-x snap-mandatory rounded-sheet"
        aria-live={runs ? 'off' : 'polite'}
      >
        {slides.map(({ key, content }) => (
          <li key={key} className="h-54 w-full shrink-0 snap-center overflow-hidden rounded-sheet bg-ink text-on-ink">
            {content}
          </li>
        ))}
      </ul>
      <div className="flex h-11 items-center justify-between">
        <span className="w-11" />
        <Dots count={slides.length} current={current} track={track} nameOf={labels.slide} />
        {/* Reduced motion hides the button without removing it: `repeatPress` finds buttons by their position. */}
        <IconButton
          label={playing ? labels.pause : labels.play}
          onClick={() => setPlaying(!playing)}
          icon={playing ? <Pause size={16} strokeWidth={1.75} /> : <Play size={16} strokeWidth={1.75} />}
          className={reduced ? 'invisible' : '-me-3'}
        />
      </div>
    </section>
  )
}

/**
 * Whether a user points at or focuses the slides. A touch ends immediately, so a touch pauses the carousel via
 * `onTouch`.
 */
function useHeld(track: RefObject<HTMLElement | null>, onTouch: () => void): boolean {
  const [held, setHeld] = useState(false)
  const touched = useEffectEvent(onTouch)
  useEffect(() => {
    const element = track.current
    if (!element) return undefined
    const listeners = new AbortController()
    const { signal } = listeners
    const hold = () => setHeld(true)
    const release = () => setHeld(false)
    element.addEventListener('pointerenter', hold, { signal })
    element.addEventListener('pointerleave', release, { signal })
    element.addEventListener('focusin', hold, { signal })
    element.addEventListener('focusout', release, { signal })
    element.addEventListener('touchstart', () => touched(), { signal, passive: true })
    return () => listeners.abort()
  }, [track])
  return held
}

interface DotsProps {
  count: number
  current: number
  track: RefObject<HTMLElement | null>
  nameOf: (number: number) => string
}

function Dots({ count, current, track, nameOf }: DotsProps) {
  return (
    <span className="flex items-center">
      {Array.from({ length: count }, (_, index) => (
        <button
          // oxlint-disable-next-line react/no-array-index-key -- the place is what a dot stands for
          key={index}
          type="button"
          aria-label={nameOf(index + 1)}
          aria-current={index === current ? 'true' : undefined}
          onClick={() => track.current && scrollToSlide(track.current, index)}
          className="grid h-11 min-w-6 place-items-center px-[3px]"
        >
          <i
            className={cx(
              'block h-1.5 rounded-full transition-all duration-(--t-base)',
              index === current ? 'w-4.5 bg-fg' : 'w-1.5 bg-line-strong',
            )}
          />
        </button>
      ))}
    </span>
  )
}

interface CardStripProps {
  label: string
  children: ReactNode
  className?: string | undefined
}

/** A strip of cards, three per view with a 4 px gap; the next card is partly visible. Wrap each child in a `<li>`. */
export function CardStrip({ label, children, className }: CardStripProps) {
  return (
    <ul
      ref={fadeEnds}
      aria-label={label}
      className={cx(
        'scroll-x -mx-(--gutter) flex snap-x snap-proximity scroll-px-(--gutter) gap-1 px-(--gutter) py-px',
        '*:w-[max((100%-8px)/3,5.6rem)] *:shrink-0 *:snap-start',
        className,
      )}
    >
      {children}
    </ul>
  )
}

/** In right-to-left pages, scrollLeft runs from zero to negative values. */
function nearestSlide(list: HTMLElement): number {
  return list.clientWidth === 0 ? 0 : Math.round(Math.abs(list.scrollLeft) / list.clientWidth)
}

function scrollToSlide(list: HTMLElement, index: number): void {
  const direction = getComputedStyle(list).direction === 'rtl' ? -1 : 1
  const behavior = prefersReducedMotion() ? 'auto' : 'smooth'
  list.scrollTo({ left: direction * index * list.clientWidth, behavior })
}
