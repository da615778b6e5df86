import { expect, test } from 'vitest'
import { BinanceConversation } from '#server/market-data/feeds/providers/binance/binance-conversation.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

interface Asked {
  readonly method: string
  readonly params?: readonly string[]
  readonly id: number
}

function converse(streams: readonly string[]) {
  const asked: Asked[] = []
  const told: string[] = []
  const line = {
    send: (text: string) => void asked.push(JSON.parse(text) as Asked),
    ready: () => void told.push('ready'),
    renew: () => void told.push('renew'),
    fail: (why: string) => void told.push(`fail: ${why}`),
  }
  const conversation = new BinanceConversation(line, streams, {
    heard: ({ symbol }) => void told.push(`heard ${symbol}`),
    unread: ({ symbol }) => void told.push(`unread ${symbol}`),
    refused: (stream, why) => void told.push(`refused ${stream}: ${why}`),
  })
  const answer = (reply: object) => conversation.message(JSON.stringify(reply))
  return { conversation, asked, told, answer }
}

test('subscribes many streams in short messages, and is ready when all are granted', () => {
  const streams = Array.from({ length: 400 }, (_, n) => `verylongsymbolname${n}usdt@ticker`)
  const { asked, told, answer } = converse(streams)
  expect(asked.flatMap(({ params = [] }) => params)).toEqual(streams)
  for (const message of asked) expect(JSON.stringify(message).length).toBeLessThan(4_088)
  for (const { id } of asked.slice(1)) answer({ result: null, id })
  expect(told).toEqual([])
  answer({ result: null, id: asked[0]?.id })
  expect(told).toEqual(['ready'])
})

test('finds one bad stream among good ones, and requests the good ones again', () => {
  const { asked, told, answer } = converse(['a@trade', 'b@trade', 'bad!@trade', 'c@trade', 'd@trade'])
  for (const request of asked) {
    const isBad = request.params?.includes('bad!@trade') === true
    answer(isBad ? { error: { code: 2, msg: 'Invalid request' }, id: request.id } : { result: null, id: request.id })
  }
  expect(told).toEqual(['refused bad!@trade: 2 Invalid request', 'ready'])
  expect(asked.at(-1)?.params).toHaveLength(1)
})

test('blames no stream when there are too many', () => {
  const { told, answer } = converse(['a@trade'])
  answer({ error: { code: 4, msg: 'Too many subscriptions' }, id: 1 })
  expect(told).toContain('fail: 4 Too many subscriptions')
  expect(told.join()).not.toContain('refused')
})

test('leaves a server that announces its shutdown', () => {
  const { conversation, told } = converse(['btcusdt@trade'])
  for (const text of readWire('binance-control-documented.jsonl').slice(-2)) conversation.message(text)
  expect(told).toEqual(['renew', 'renew'])
})

test('replaces once a connection that answers but has no more prices', () => {
  const { conversation, told } = converse(['btcusdt@trade'])
  const [trade = ''] = readWire('binance-spot-btcusdt-trade-20240808.jsonl.gz')
  for (let n = 0; n < 30; n += 1) conversation.probe()
  expect(told).toEqual([])
  conversation.message(trade)?.()
  for (let n = 0; n < 30; n += 1) conversation.probe()
  expect(told).toEqual(['heard BTCUSDT', 'renew'])
})
