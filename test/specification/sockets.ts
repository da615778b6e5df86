import { row, testsIn } from '#test/specification/row.ts'

const server = testsIn('src/server/sockets/app-socket.test.ts')
const markets = testsIn('src/server/sockets/market-sockets.test.ts')
const streams = testsIn('src/server/sockets/stream-socket.test.ts')
const clients = testsIn('src/server/sockets/public-clients.test.ts')
const client = testsIn('src/web/live/app-client.test.ts')
const lost = testsIn('e2e/journeys/lost-connection.spec.ts')

export const SOCKETS = {
  title: 'Live sockets',
  rows: [
    row(
      'subscribe',
      'on opening the token is sent with the action subscribe',
      client('subscribes with the token and sends pings'),
      server('prices > tells a visitor the last values at once and then every change'),
    ),
    row(
      'ping',
      'every ten seconds the token is sent with the action ping',
      client('subscribes with the token and sends pings'),
    ),
    row(
      'pong',
      'brings trade status, reason and market status',
      client('takes the clock, the trade status and the market status from the pong'),
      server('sessions > tells with the pong whether the user may trade'),
    ),
    row(
      'newTrade',
      'an order is placed over the socket and answered with its price or a message',
      server('orders > takes an order, tells its result at once'),
      client('confirms an order with the terms that the server froze'),
      client("rejects an order with the server's message"),
    ),
    row(
      'tradeResult',
      'brings what became of an order',
      server('orders > takes an order, tells its result at once'),
      client('reports a result once and acknowledges each delivery'),
    ),
    row(
      'price ticks',
      'symbol, price, change and the time, as E for crypto and t for others',
      server('prices > tells a visitor the last values at once and then every change, with the time where it belongs'),
    ),
    row(
      'candle feed',
      'candles of a symbol and interval as they change',
      markets('sends the current candle at once, each change, and each closed candle exactly once before the next'),
    ),
    row(
      'ticker channel',
      'subscribed with product ids, it tells price and volume',
      markets('speaks the ticker channel: acknowledges, tells, beats, and names what it does not know'),
    ),
    row(
      'clients of the exchanges',
      'candles and tickers follow the conventions of the exchanges, so that their clients read them',
      streams('choosing streams > answers as the exchange does, with the id as it was written'),
      streams('choosing streams > names the stream in each message when that is asked for'),
      streams('messages look as those of the exchange, field by field > the ticker channel'),
      clients('the official Binance connector reads candles and tickers'),
      clients('ccxt loads our markets as those of Binance'),
      clients('ccxt reads the ticker channel as that of Coinbase'),
      clients('coinbase-pro-node subscribes, and hears tickers and heartbeats'),
    ),
    row(
      'reconnecting',
      'a socket that closes or fails opens itself again',
      client('reconnects after a loss, subscribes again and reports that updates may be missing'),
      lost('prices without sockets are not marked live, and the result arrives after reconnection'),
      lost('a restarted server is found again, with the order and the account unchanged'),
    ),
  ],
}
