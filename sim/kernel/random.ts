/**
 * A pseudo-random stream determined by a seed and a name. Each part of the simulation has its own stream, so that an
 * additional sample in one part does not change the others.
 */
export class Random {
  #a: number
  #b: number
  #c = 0x9e3779b9
  #count = 1

  constructor(seed: number, name: string) {
    this.#a = seed | 0
    this.#b = hashText(name)
    for (let round = 0; round < 12; round += 1) this.#draw()
  }

  /** A number from 0 to below 1. */
  next(): number {
    return this.#draw() / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number; both bounds are included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.integer(0, list.length - 1)]
    if (picked === undefined) throw new Error('the list to pick from is empty')
    return picked
  }

  /** Whole milliseconds between two independent events with this mean interval. */
  wait(meanMs: number): number {
    return Math.ceil(-Math.log(1 - this.next()) * meanMs)
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#draw() & 255)
  }

  /** The 32-bit "small fast counting" generator by Chris Doty-Humphrey. */
  #draw(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0
    this.#count = (this.#count + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (this.#c << 21) | (this.#c >>> 11)
    this.#c = (this.#c + sum) | 0
    return sum >>> 0
  }
}

/** FNV-1a, 32 bits. */
export function hashText(text: string, before = 0x811c9dc5): number {
  let hash = before
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
