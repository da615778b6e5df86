import type { Server } from 'node:http'
import { isPlaceRefused } from '#core/accounts/country-rules.ts'
import type { Opening } from '#server/app/opening.ts'
import type { MarketData } from '#server/app/open-market-data.ts'
import type { Platform } from '#server/app/open-platform.ts'
import type { Trading } from '#server/app/open-trading.ts'
import type { Authenticate } from '#server/platform/http/signed-in.ts'
import { StaffSocket } from '#server/back-office/socket/staff-socket.ts'
import { isOwnOrigin } from '#server/platform/http/origin.ts'
import type { CountrySources } from '#server/platform/countries/client-country.ts'
import { clientAddressReader } from '#server/platform/http/client-address.ts'
import { createSockets, type SocketKeys } from '#server/sockets/create-sockets.ts'
import { RealityChecks } from '#server/users/limits/reality-checks.ts'
import { marketStatus } from '#server/market-data/hours/market-status.ts'
import { meterOrders } from '#server/app/meters/meter-orders.ts'

/** Opens the web sockets of users and staff on the HTTP server. */
export function openSockets(
  { config, overrides, lifecycle }: Opening,
  { ctx, metrics }: Platform,
  { settings, catalogue, ticks }: MarketData,
  {
    engine,
    authenticate,
    keys,
    countries,
    server,
  }: Pick<Trading, 'engine'> & {
    readonly authenticate: Authenticate
    readonly keys: SocketKeys
    readonly countries: Pick<CountrySources, 'of'>
    readonly server: Server
  },
) {
  const site = { publicUrl: config.publicUrl ?? null, mode: config.mode }
  const reality = new RealityChecks(ctx)
  const live = createSockets({
    ctx,
    ticks,
    engine: metrics === null ? engine : meterOrders(engine, metrics),
    catalogue,
    authenticate,
    keys,
    reality,
    endpoints: [new StaffSocket(ctx)],
    marketStatus: () => marketStatus(catalogue, ctx.now()),
    isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, site),
    defaultLanguage: settings.current.defaultLanguage,
    addressOf: clientAddressReader(config.trustedProxies),
    countryOf: countries.of,
    isTradeRefused: ({ country: declared }, { country: address }) =>
      isPlaceRefused(settings.current.countryRules, 'trade', { declared, address }),
    ...(overrides.flushMs !== undefined && { flushMs: overrides.flushMs }),
  })
  lifecycle.opened('sockets', async () => {
    await live.stop()
    reality.stop()
  })
  live.attach(server)
  return live
}
