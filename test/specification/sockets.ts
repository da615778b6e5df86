import { row } from '#test/specification/row.ts'

export const SOCKETS = {
  title: 'Live sockets',
  rows: [
    row('SO1', 'subscribe', 'on opening the token is sent with the action subscribe'),
    row('SO2', 'ping', 'every ten seconds the token is sent with the action ping'),
    row('SO3', 'pong', 'has trade status, reason and market status'),
    row('SO4', 'newTrade', 'an order is placed over the socket, and the reply has its price or a message'),
    row('SO5', 'tradeResult', 'has the result of an order'),
    row('SO6', 'price ticks', 'symbol, price, change and the time, as E for crypto and t for others'),
    row('SO7', 'candle feed', 'candles of a symbol and interval as they change'),
    row('SO8', 'ticker channel', 'subscribed with product ids, it sends price and volume'),
    row(
      'SO9',
      'clients of the exchanges',
      'candles and tickers follow the conventions of the exchanges, so that their clients read them',
    ),
    row('SO10', 'reconnecting', 'a socket that closes or fails opens itself again'),
  ],
}
