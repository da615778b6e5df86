import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { haptics, sound } from '#web/options/options.ts'
import { signalOrder } from '#web/options/order-signal.ts'

/** The recorded calls of the device's functions for sound and vibration. */
let calls: unknown[] = []
/** The current time of the audio context, in seconds. */
let soundTime = 0

const sinceNowMs = (at: number) => Math.round((at - soundTime) * 1000)

class Node {
  gain = { linearRampToValueAtTime: (gain: number, at: number) => calls.push(['gain', gain, sinceNowMs(at)]) }
  constructor(_: unknown, options: unknown) {
    calls.push(options)
  }
  connect = (next: unknown) => next
  start = (at: number) => calls.push(['start', sinceNowMs(at)])
  stop = (at: number) => calls.push(['stop', sinceNowMs(at)])
}

beforeEach(() => {
  calls = []
  vi.stubGlobal('GainNode', Node)
  vi.stubGlobal('OscillatorNode', Node)
  vi.stubGlobal(
    'AudioContext',
    class {
      get currentTime() {
        return soundTime
      }
      destination = {}
      resume = () => Promise.resolve()
    },
  )
  Object.assign(navigator, { vibrate: (pattern: unknown) => calls.push(['vibrate', pattern]) })
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  sound.choose('off')
  haptics.choose('off')
})

async function callsOf(moment: 'accepted' | 'ended'): Promise<unknown[]> {
  calls = []
  soundTime += 1
  signalOrder(moment)
  await vi.waitFor(() => expect(calls.some((call) => Array.isArray(call) && call[0] === 'stop')).toBe(true))
  return calls
}

test('tone and vibration are off at first', async () => {
  signalOrder('accepted')
  signalOrder('ended')
  await import('#web/options/tone.ts')
  expect(calls).toEqual([])
})

test('a tone lasts at most 250 ms, its peak is at most −18 dBFS, and a vibration lasts 20 ms', async () => {
  sound.choose('on')
  haptics.choose('on')
  const seen = await callsOf('accepted')
  expect(seen).toContainEqual(['vibrate', 20])
  const ramps = seen.flatMap((call) =>
    Array.isArray(call) && call[0] === 'gain' ? [call as [string, number, number]] : [],
  )
  expect(Math.max(...ramps.map(([, gain]) => gain))).toBeLessThanOrEqual(10 ** (-18 / 20))
  expect(ramps.at(-1)?.[1]).toBe(0)
  const stop = seen.find((call) => Array.isArray(call) && call[0] === 'stop') as [string, number]
  expect(stop[1]).toBeLessThanOrEqual(250)
})

test('the end of an order has one tone, and it differs from the tone of an accepted order', async () => {
  sound.choose('on')
  const [accepted, ended, again] = [await callsOf('accepted'), await callsOf('ended'), await callsOf('ended')]
  expect(again).toEqual(ended)
  expect(ended).not.toEqual(accepted)
})

test('orders that end together cause one tone, and an order that ends after this tone causes another tone', async () => {
  sound.choose('on')
  const seen = await callsOf('ended')
  const { playTone } = await import('#web/options/tone.ts')
  await Promise.all([playTone('ended'), playTone('ended'), playTone('accepted')])
  expect(seen.filter((call) => Array.isArray(call) && call[0] === 'start')).toEqual([['start', 0]])
  expect(await callsOf('ended')).toContainEqual(['start', 0])
})

test('a hidden tab has neither tone nor vibration', async () => {
  sound.choose('on')
  haptics.choose('on')
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  signalOrder('ended')
  await import('#web/options/tone.ts')
  expect(calls).toEqual([])
})
