import { row } from '#test/specification/row.ts'

/** The inbox, its mail and its messages to devices. */
export const NOTICES = {
  title: 'Notices',
  rows: [
    row('US3.1', 'an event of money, limits or security', 'writes one notice, in its own transaction'),
    row('US3.2', 'the inbox', 'pages, counts and marks only the own notices'),
    row(
      'US3.3',
      'mail of a notice',
      'goes out once, again after a crash with the same id, and is given up after a day',
    ),
    row('US3.4', 'mail that protects money and account', 'cannot be turned off'),
    row('US3.5', 'the link that turns off a mail', 'changes one topic of one user, and only when it is sent'),
    row('US3.6', 'results that no page has confirmed', 'are told by one notice with their number, or by none'),
    row('US3.7', 'a message to a device', 'is encrypted for it, signed by the site, and has no amounts by default'),
    row('US3.8', 'sending to a device', 'happens once, and again after a crash under the same name'),
    row('US3.9', 'a device that shows notices', 'ends with its session, its account, or at its push service'),
  ],
}
