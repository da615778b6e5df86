import { row } from '#test/specification/row.ts'

/** The consequences of a failed call or order. */
export const ERRORS = {
  title: 'Failures',
  rows: [
    row('FA1', '422', 'the message of the server, in a red alert'),
    row('FA2', '404', 'the message of the server'),
    row('FA3', 'anything else', 'Server Error'),
    row('FA4', '401 and 403', 'log out'),
    row('FA5', 'trade error', 'in a red alert above the order form'),
    row('FA6', 'favorite', 'a refused star returns to its previous state silently'),
    row('FA7', 'no connection', 'is distinguished from a refusal'),
  ],
}

/** The texts shown where something is missing. */
export const ERROR_TEXTS = {
  title: 'Error texts',
  rows: [
    row('ET1', 'Server Error', 'any other failure of a call'),
    row('ET2', 'market is closed', 'where a market is closed'),
    row('ET3', 'insufficient balance', 'on the order form'),
    row('ET4', 'transactions not found', 'where there are no trades'),
    row('ET5', 'loading transactions', 'while trades are loading'),
    row('ET6', 'please wait a minute', 'while an order waits for its price'),
    row('ET7', 'No Data', 'where a list is empty'),
    row('ET8', 'Page Not Found', 'at an address without a page'),
    row('ET9', 'unable to load data, try again later', 'where the market cannot be loaded'),
    row('ET10', 'currently no withdrawal methods available for your account', 'where there are none'),
    row('ET11', '{name} is Required', 'where a picture is saved without a photo'),
  ],
}
