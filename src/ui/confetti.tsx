import { useEffect, useRef } from 'react'
import { prefersReducedMotion } from '#ui/use-reduced-motion.ts'

const PARTICLES = 150
const LASTS_MS = 3500
const FRAMES_PER_SECOND = 60
/** Colours that are visible on a white card. The text of the result is in front of the confetti. */
export const CONFETTI_COLOURS = ['--brand', '--up', '--flame'] as const

interface ConfettiProps {
  /** False renders nothing: disabled in the settings, or no win. */
  on: boolean
  /** Rendered behind the result: the parent must be positioned, and its content must have a z-index above 0. */
  className?: string | undefined
}

/**
 * One burst of confetti on mount, for wins only. The code of the confetti loads only for a win. Reduced motion disables
 * it.
 */
export function Confetti({ on, className }: ConfettiProps) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const element = canvas.current
    if (!on || !element || prefersReducedMotion()) return undefined
    let stop: (() => void) | null = null
    let gone = false
    const start = async () => {
      const { default: confetti } = await import('canvas-confetti')
      if (gone) return
      const styles = getComputedStyle(element)
      // No worker: a blob: worker would need an exception in the content security policy.
      const burst = confetti.create(element, { resize: true, useWorker: false })
      stop = () => burst.reset()
      await burst({
        particleCount: PARTICLES,
        ticks: (LASTS_MS / 1000) * FRAMES_PER_SECOND,
        spread: 100,
        startVelocity: 38,
        origin: { y: 0.35 },
        colors: CONFETTI_COLOURS.map((token) => styles.getPropertyValue(token).trim()),
      })
    }
    // Confetti is decoration, so a failed load is ignored.
    start().catch(() => undefined)
    return () => {
      gone = true
      stop?.()
    }
  }, [on])

  if (!on) return null
  return (
    <canvas ref={canvas} aria-hidden="true" className={className ?? 'pointer-events-none absolute inset-0 size-full'} />
  )
}
