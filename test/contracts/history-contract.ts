import { describe, expect, test } from 'vitest'
import { type Provider, ProviderError, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import type { ProviderServer } from '#test/support/providers/provider-server.ts'
import { type ProviderUnderTest, until } from '#test/support/providers/provider-under-test.ts'

export interface Connected {
  readonly server: ProviderServer
  readonly provider: Provider
  readonly tools: ProviderTools & { pending(): number }
}

/** Defines the tests for every adapter's history, with well-behaved and misbehaving servers. */
export function describeHistory(
  name: string,
  under: ProviderUnderTest,
  connect: (mood?: 'impatient') => Promise<Connected>,
): void {
  const historyUnderTest = under.history
  if (historyUnderTest === null) return
  const { query, candles, unknown } = historyUnderTest

  async function connectToHistory(mood?: 'impatient') {
    const connected = await connect(mood)
    const { history } = connected.provider
    if (history === null) throw new Error('the provider has no history')
    return { ...connected, history }
  }

  describe(`${name}: history`, () => {
    test('closed bars, exact, ascending', async () => {
      const { history } = await connectToHistory()
      expect(await history.candles(query)).toEqual(candles)
      const [one, two] = candles
      if (one === undefined || two === undefined) throw new Error('the recording needs at least two bars')
      expect(await history.candles({ ...query, from: one.openTime, before: two.openTime })).toEqual([one])
      expect(await history.candles({ ...query, before: query.from })).toEqual([])
    })

    test('an unknown symbol is reported as permanently unknown', async () => {
      const { history } = await connectToHistory()
      await expect(history.candles(unknown)).rejects.toMatchObject({ name: 'ProviderError', retry: false })
    })

    test.each([
      ['failing', true],
      ['garbage', true],
      ['hang', true],
      ['too-much', false],
    ] as const)(
      'a server in the mood "%s" is an error with retry %s, and the next call is fine',
      async (mood, retry) => {
        // Short limits only for a server that does not reply. Otherwise a slow machine could look like a silent server.
        const { server, history } = await connectToHistory(mood === 'hang' ? 'impatient' : undefined)
        server.rest = mood
        const error = await history.candles(query).catch((error: unknown) => error)
        expect(error).toBeInstanceOf(ProviderError)
        expect(error).toMatchObject({ retry })
        expect(String(error)).not.toContain('k3y')
        server.rest = 'well'
        if (mood !== 'hang') expect(await history.candles(query)).toEqual(candles)
      },
    )

    test('a rate-limited client waits for the requested time', async () => {
      const { server, history, tools } = await connectToHistory()
      server.rest = 'too-often'
      const calledAt = tools.clock.now()
      await expect(history.candles(query)).rejects.toMatchObject({ retry: true })
      server.rest = 'well'
      expect(await history.candles(query)).toEqual(candles)
      expect(tools.clock.now() - calledAt).toBeGreaterThanOrEqual(1_000)
    })

    test('stop cancels a call', async () => {
      const { server, provider, history, tools } = await connectToHistory()
      server.rest = 'hang'
      const failure = history.candles(query).catch((error: unknown) => error)
      await until(() => expect(server.calls).not.toEqual([]))
      await provider.stop()
      expect(await failure).toMatchObject({ name: 'ProviderError', retry: false })
      expect(tools.pending()).toBe(0)
    })
  })
}
