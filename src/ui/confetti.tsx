import { useEffect, useRef } from 'react'
import { prefersReducedMotion } from '#ui/use-reduced-motion.ts'

const PARTICLES = 150
const LASTS_MS = 3500
const FRAMES_PER_SECOND = 60
/** Strong enough to be seen on white; the result stands in front of them. */
const COLOURS = ['--brand', '--up', '--flame'] as const

interface ConfettiProps {
  /** False draws nothing: switched off in the settings, or not a win. */
  on: boolean
  /** Behind the result: the parent is positioned, its content lies above z 0. */
  className?: string | undefined
}

/** One burst when it appears, for wins only. The code for it is fetched only then; reduced motion gets none. */
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
      // Without a worker: a blob: worker would need a hole in the content security policy.
      const burst = confetti.create(element, { resize: true, useWorker: false })
      stop = () => burst.reset()
      await burst({
        particleCount: PARTICLES,
        ticks: (LASTS_MS / 1000) * FRAMES_PER_SECOND,
        spread: 100,
        startVelocity: 38,
        origin: { y: 0.35 },
        colors: COLOURS.map((token) => styles.getPropertyValue(token).trim()),
      })
    }
    // Decoration: whoever cannot fetch it simply sees none.
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
