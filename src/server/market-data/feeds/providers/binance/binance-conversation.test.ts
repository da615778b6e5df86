import { expect, test } from 'vitest'
import { BinanceConversation } from '#server/market-data/feeds/providers/binance/binance-conversation.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

interface SentRequest {
  readonly method: string
  readonly params?: readonly string[]
  readonly id: number
}

function converse(streams: readonly string[]) {
  const requests: SentRequest[] = []
  const events: string[] = []
  const line = {
    send: (text: string) => void requests.push(JSON.parse(text) as SentRequest),
    ready: () => void events.push('ready'),
    renew: () => void events.push('renew'),
    fail: (why: string) => void events.push(`fail: ${why}`),
  }
  const conversation = new BinanceConversation(line, streams, {
    received: ({ symbol }) => void events.push(`heard ${symbol}`),
    unread: ({ symbol }) => void events.push(`unread ${symbol}`),
    refused: (stream, why) => void events.push(`refused ${stream}: ${why}`),
  })
  const answer = (reply: object) => conversation.message(JSON.stringify(reply))
  return { conversation, requests, events, answer }
}

test('subscribes many streams in short messages, and is ready when all are granted', () => {
  const streams = Array.from({ length: 400 }, (_, n) => `verylongsymbolname${n}usdt@ticker`)
  const { requests, events, answer } = converse(streams)
  expect(requests.flatMap(({ params = [] }) => params)).toEqual(streams)
  for (const message of requests) expect(JSON.stringify(message).length).toBeLessThan(4_088)
  for (const { id } of requests.slice(1)) answer({ result: null, id })
  expect(events).toEqual([])
  answer({ result: null, id: requests[0]?.id })
  expect(events).toEqual(['ready'])
})

test('finds one bad stream among good streams, and requests the good streams again', () => {
  const { requests, events, answer } = converse(['a@trade', 'b@trade', 'bad!@trade', 'c@trade', 'd@trade'])
  for (const request of requests) {
    const isBad = request.params?.includes('bad!@trade') === true
    answer(isBad ? { error: { code: 2, msg: 'Invalid request' }, id: request.id } : { result: null, id: request.id })
  }
  expect(events).toEqual(['refused bad!@trade: 2 Invalid request', 'ready'])
  expect(requests.at(-1)?.params).toHaveLength(1)
})

test('refuses no single stream when the connection has too many', () => {
  const { events, answer } = converse(['a@trade'])
  answer({ error: { code: 4, msg: 'Too many subscriptions' }, id: 1 })
  expect(events).toContain('fail: 4 Too many subscriptions')
  expect(events.join()).not.toContain('refused')
})

test('leaves a server that announces its shutdown', () => {
  const { conversation, events } = converse(['btcusdt@trade'])
  for (const text of readWire('binance-control-documented.jsonl').slice(-2)) conversation.message(text)
  expect(events).toEqual(['renew', 'renew'])
})

test('replaces a connection once when it still answers but sends no more prices', () => {
  const { conversation, events } = converse(['btcusdt@trade'])
  const [trade = ''] = readWire('binance-spot-btcusdt-trade-20240808.jsonl.gz')
  for (let n = 0; n < 30; n += 1) conversation.probe()
  expect(events).toEqual([])
  conversation.message(trade)?.()
  for (let n = 0; n < 30; n += 1) conversation.probe()
  expect(events).toEqual(['heard BTCUSDT', 'renew'])
})
