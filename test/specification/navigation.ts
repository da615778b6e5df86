import { row } from '#test/specification/row.ts'

export const NAVIGATION = {
  title: 'Navigation rules',
  rows: [
    row('NV1', 'first navigation', 'the first page of a session is home, once'),
    row('NV2', 'public pages', 'need no log-in, are never diverted, and stay open to unverified users'),
    row('NV3', 'logged in at log-in and sign-up', 'both redirect a logged-in user to the market'),
    row('NV4', 'logged in at home', 'home redirects a logged-in user to the market'),
    row('NV5', 'return address', 'a page for users redirects a visitor to the log-in, which leads back'),
    row('NV6', 'unverified', 'an unverified user is redirected to the verification from every screen'),
    row('NV7', 'bottom bar', 'Home, Market, Trade, Wallet; without Home for users'),
    row('NV8', 'reset link', 'needs its code, and with one is never diverted'),
    row('NV9', 'deposits closed', 'deposit and its history lead to the wallet'),
    row('NV10', 'any 401 or 403', 'ends the session of a logged-in user'),
    row('NV11', 'log-out', 'clears the stored settings and reloads them'),
    row('NV12', 'storage blocked', 'memory replaces it while the page is open'),
  ],
}
