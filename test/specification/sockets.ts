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
      server('prices > sends a visitor the latest prices at once and then every change, with the time in its field'),
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
      server('sessions > includes in a pong whether the user may trade, without a query for visitors'),
    ),
    row(
      'newTrade',
      'an order is placed over the socket and answered with its price or a message',
      server('orders > accepts an order, sends its result, and repeats it after a reconnect until it is confirmed'),
      client('confirms an order with the terms that the server froze'),
      client("rejects an order with the server's message"),
    ),
    row(
      'tradeResult',
      'brings what became of an order',
      server('orders > accepts an order, sends its result, and repeats it after a reconnect until it is confirmed'),
      client('reports a result once and acknowledges each delivery'),
    ),
    row(
      'price ticks',
      'symbol, price, change and the time, as E for crypto and t for others',
      server('prices > sends a visitor the latest prices at once and then every change, with the time in its field'),
    ),
    row(
      'candle feed',
      'candles of a symbol and interval as they change',
      markets('sends the current candle, each change, and each closed candle exactly once before the next'),
    ),
    row(
      'ticker channel',
      'subscribed with product ids, it tells price and volume',
      markets('serves the ticker channel: acknowledges, sends prices and heartbeats, and refuses unknown messages'),
    ),
    row(
      'clients of the exchanges',
      'candles and tickers follow the conventions of the exchanges, so that their clients read them',
      streams('choosing streams > replies as the exchange does, with the id exactly as sent'),
      streams('choosing streams > names the stream in each message on request, by address or property'),
      streams(
        'messages match those of the exchange, field by field > on the ticker channel, except order book and side, which a tick does not have',
      ),
      clients('the official Binance connector reads candles, tickers and history, over one stream or several'),
      clients('ccxt loads our markets as Binance markets, and watches candles, tickers and trades'),
      clients('ccxt reads the ticker channel as that of Coinbase'),
      clients('coinbase-pro-node subscribes and receives tickers and heartbeats'),
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
