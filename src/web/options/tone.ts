/** The moments that can have a tone and a vibration. The end of an order is one moment, whatever its result. */
export type OrderMoment = 'accepted' | 'ended'

/** In hertz. The end of an order sounds the same for every result. */
const PITCHES: Readonly<Record<OrderMoment, number>> = { accepted: 660, ended: 440 }
/** 0.1 of full scale is −20 dBFS. */
const PEAK = 0.1
const ATTACK_S = 0.02
const LENGTH_S = 0.24

let context: AudioContext | null = null
/** The end of the newest tone, in seconds on the clock of the audio context. */
let endsAt = 0

/** Plays one soft tone. Tones that play together would be louder, so no second tone starts while a tone plays. */
export async function playTone(moment: OrderMoment): Promise<void> {
  context ??= createContext()
  await context.resume()
  const start = context.currentTime
  if (start < endsAt) return
  endsAt = start + LENGTH_S
  const volume = new GainNode(context, { gain: 0 })
  volume.gain.linearRampToValueAtTime(PEAK, start + ATTACK_S)
  volume.gain.linearRampToValueAtTime(0, endsAt)
  const tone = new OscillatorNode(context, { frequency: PITCHES[moment] })
  tone.connect(volume).connect(context.destination)
  tone.start(start)
  tone.stop(endsAt)
}

/** Creates a context that the silent switch of a phone mutes, where the browser lets a page choose. */
function createContext(): AudioContext {
  const session = (navigator as { audioSession?: { type: string } }).audioSession
  if (session !== undefined) session.type = 'ambient'
  return new AudioContext()
}
