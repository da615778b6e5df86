import { beforeEach, describe, expect, it } from 'vitest'
import { PeerMessages } from '#server/platform/cluster/peer-messages.ts'
import { signMessage } from '#server/platform/cluster/signed-message.ts'

const secret = new Uint8Array(32).fill(1)
const message = (nth: number, { from = 'peer', key = secret } = {}) =>
  signMessage(key, 'news', { from, nth, body: nth })

let messages: PeerMessages
beforeEach(() => {
  messages = new PeerMessages({ secret, run: 'me' })
})

describe('a message of another server', () => {
  it('counts as received, and is marked as following a gap when its number is not the next number', () => {
    expect(messages.read('news', message(7))).toEqual({ body: 7, isAfterGap: false })
    expect(messages.read('news', message(8))).toEqual({ body: 8, isAfterGap: false })
    expect(messages.read('news', message(10))).toEqual({ body: 10, isAfterGap: true })
    expect(messages.read('news', message(1, { from: 'other' }))).toEqual({ body: 1, isAfterGap: false })
    expect(messages).toMatchObject({ received: 4, refused: 0 })
  })

  it('counts as refused when it is repeated, forged, or of another topic', () => {
    messages.read('news', message(2))
    expect(messages.read('news', message(2))).toBeNull()
    expect(messages.read('news', message(1))).toBeNull()
    expect(messages.read('news', message(3, { key: new Uint8Array(32).fill(2) }))).toBeNull()
    expect(messages.read('ticks', message(3))).toBeNull()
    expect(messages.read('news', new Uint8Array(3))).toBeNull()
    expect(messages).toMatchObject({ received: 1, refused: 5 })
  })
})

it('a message of this server itself counts neither as received nor as refused', () => {
  expect(messages.read('news', message(1, { from: 'me' }))).toBeNull()
  expect(messages).toMatchObject({ received: 0, refused: 0 })
})
