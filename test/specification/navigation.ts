import { row } from '#test/specification/row.ts'

export const NAVIGATION = {
  title: 'Navigation rules',
  rows: [
    row('NV1', 'first navigation', 'the first page of a session is home, once'),
    row('NV2', 'public pages', 'need no log-in, are never diverted, and stay open to unverified users'),
    row('NV3', 'signed in at log-in and sign-up', 'both send a signed-in user to the market'),
    row('NV4', 'signed in at home', 'home sends a signed-in user to the market'),
    row('NV5', 'return address', 'a page for users sends a visitor to the log-in, which leads back'),
    row('NV6', 'unverified', 'who is not verified is sent to the verification from everywhere'),
    row('NV7', 'bottom bar', 'Home, Market, Trade, Wallet; without Home for users'),
    row('NV8', 'reset link', 'needs its code, and with one is never diverted'),
    row('NV9', 'deposits closed', 'deposit and its history lead to the wallet'),
    row('NV10', 'any 401 or 403', 'logs out whoever is signed in'),
    row('NV11', 'log-out', 'clears the settings that are stored, which are asked for anew'),
    row('NV12', 'storage blocked', 'memory stands in for it while the page is open'),
  ],
}
