/** So many messages in a row with numbers that were used before mean that the counting has begun anew. */
const MOST_REPEATED = 10

export type Place = 'next' | 'repeated' | { readonly lost: string }

/** Finds holes in the numbers of a connection's messages, which rise by one. */
export class MessageCount {
  private next: number | null = null
  private repeated = 0

  /** No message was counted yet, so nobody knows which is the first. */
  get isAtBeginning(): boolean {
    return this.next === null
  }

  /** Where a message stands; of one that was heard before nothing is new. */
  place(sequence: number): Place {
    const expected = this.next ?? sequence
    if (sequence > expected) return { lost: `messages ${expected} to ${sequence - 1} have not come` }
    if (sequence === expected) {
      this.next = sequence + 1
      this.repeated = 0
      return 'next'
    }
    this.repeated += 1
    return this.repeated < MOST_REPEATED ? 'repeated' : { lost: 'the numbers of its messages ran back' }
  }
}
