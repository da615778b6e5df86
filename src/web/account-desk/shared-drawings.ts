import { type Drawing, MAX_DRAWINGS_OF_SYMBOL } from '#core/charts/drawing.ts'
import type { Shared } from '#web/account-desk/follow-account.ts'
import { call } from '#web/api/call.ts'
import { drawingsNow, replaceDrawings, watchDrawings } from '#web/chart/drawing-store.ts'

/** The drawings on the chart of a symbol, which all devices of a user share. */
export function sharedDrawings(symbol: string): Shared<readonly Drawing[]> {
  const params = { product: symbol }
  return {
    key: `drawings-common-${symbol}`,
    local: () => drawingsNow(symbol),
    apply: (drawings) => replaceDrawings(symbol, drawings),
    empty: [],
    watch: watchDrawings,
    join(common, local, stored) {
      const [before, now] = [byId(common ?? []), byId(local)]
      const joined = byId(stored)
      for (const [id, one] of now) if (JSON.stringify(one) !== JSON.stringify(before.get(id))) joined.set(id, one)
      for (const id of before.keys()) if (!now.has(id)) joined.delete(id)
      return [...joined.values()].slice(-MAX_DRAWINGS_OF_SYMBOL)
    },
    async read() {
      const { data } = await call('GET /user/drawings/:product', { params })
      const drawings = data.drawings.map((one) => ({ ...one, symbol }))
      return { version: data.version, content: data.version === 0 ? null : drawings }
    },
    write: (version, drawings) =>
      call('POST /user/drawings/:product', {
        params,
        body: {
          version,
          drawings: drawings.map(({ id, kind, points, colour }) => ({ id, kind, points: [...points], colour })),
        },
      }),
  }
}

const byId = (drawings: readonly Drawing[]) => new Map(drawings.map((one) => [one.id, one]))
