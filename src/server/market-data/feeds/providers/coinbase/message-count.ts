/** This many consecutive messages with repeated numbers mean that the numbering has begun again. */
const MAX_REPEATED = 10

export type Place = 'next' | 'repeated' | { readonly lost: string }

/** Finds gaps in the numbers of a connection's messages, which rise by one. */
export class MessageCount {
  private next: number | null = null
  private repeated = 0

  /** Whether no message was counted yet, so that the first number is unknown. */
  get isAtBeginning(): boolean {
    return this.next === null
  }

  /** Classifies a message by its number. A repeated one contains nothing new. */
  place(sequence: number): Place {
    const expected = this.next ?? sequence
    if (sequence > expected) return { lost: `messages ${expected} to ${sequence - 1} have not come` }
    if (sequence === expected) {
      this.next = sequence + 1
      this.repeated = 0
      return 'next'
    }
    this.repeated += 1
    return this.repeated < MAX_REPEATED ? 'repeated' : { lost: 'the numbers of its messages ran back' }
  }
}
