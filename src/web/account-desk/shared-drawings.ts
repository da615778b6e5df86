import { type Drawing, joinDrawings } from '#core/charts/drawing.ts'
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
    join: (common, local, stored) => joinDrawings(common ?? [], local, stored),
    async read() {
      const { data } = await call('GET /user/drawings/:product', { params })
      const drawings = data.drawings.map(({ id, kind, points, colour }) => ({ id, symbol, kind, points, colour }))
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
