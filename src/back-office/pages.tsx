import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import BookOpenText from 'lucide-react/icons/book-open-text'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ChartColumn from 'lucide-react/icons/chart-column'
import ChartCandlestick from 'lucide-react/icons/chart-candlestick'
import Construction from 'lucide-react/icons/construction'
import Earth from 'lucide-react/icons/earth'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import FileText from 'lucide-react/icons/file-text'
import IdCard from 'lucide-react/icons/id-card'
import Gauge from 'lucide-react/icons/gauge'
import Hourglass from 'lucide-react/icons/hourglass'
import Inbox from 'lucide-react/icons/inbox'
import KeyRound from 'lucide-react/icons/key-round'
import Landmark from 'lucide-react/icons/landmark'
import Languages from 'lucide-react/icons/languages'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Megaphone from 'lucide-react/icons/megaphone'
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Scale from 'lucide-react/icons/scale'
import ScrollText from 'lucide-react/icons/scroll-text'
import Settings from 'lucide-react/icons/settings'
import Siren from 'lucide-react/icons/siren'
import Ticket from 'lucide-react/icons/ticket'
import Timer from 'lucide-react/icons/timer'
import Users from 'lucide-react/icons/users'
import { lazy } from 'react'
import type { BackOfficePage } from '#back-office/shell/back-office-page.ts'

/** All pages in the order of the navigation. Each page is loaded as a separate chunk. */
export const PAGES: readonly BackOfficePage[] = [
  {
    path: 'dashboard',
    href: '/dashboard',
    name: 'nav.dashboard',
    section: 'top',
    may: 'dashboard.see',
    Icon: LayoutDashboard,
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/dashboard/dashboard-page.tsx')).DashboardPage,
    })),
  },
  {
    path: 'alerts/:id?',
    href: '/alerts',
    name: 'nav.alerts',
    section: 'top',
    may: 'alerts.own',
    Icon: Siren,
    count: 'alerts',
    Page: lazy(async () => ({ default: (await import('#back-office/pages/alerts/alerts-page.tsx')).AlertsPage })),
  },
  {
    path: 'users/:id?',
    href: '/users',
    name: 'nav.users',
    section: 'top',
    may: 'users.see',
    Icon: Users,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/users/users-page.tsx')).UsersPage })),
  },
  {
    path: 'codes',
    href: '/codes',
    name: 'nav.codes',
    section: 'top',
    may: 'users.see',
    Icon: Ticket,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/codes/codes-page.tsx')).CodesPage })),
  },
  {
    path: 'tickets/:no?',
    href: '/tickets',
    name: 'nav.tickets',
    section: 'top',
    may: 'tickets.see',
    Icon: MessageCircleQuestion,
    count: 'tickets',
    Page: lazy(async () => ({ default: (await import('#back-office/pages/tickets/tickets-page.tsx')).TicketsPage })),
  },
  {
    path: 'recoveries/:id?',
    href: '/recoveries',
    name: 'nav.recoveries',
    section: 'top',
    may: 'recovery.see',
    Icon: KeyRound,
    count: 'recoveries',
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/recoveries/recoveries-page.tsx')).RecoveriesPage,
    })),
  },
  {
    path: 'deposits/:trx?',
    href: '/deposits',
    name: 'nav.deposits',
    section: 'money',
    may: 'deposits.see',
    Icon: ArrowDownToLine,
    count: 'deposits',
    Page: lazy(async () => ({ default: (await import('#back-office/pages/deposits/deposits-page.tsx')).DepositsPage })),
  },
  {
    path: 'arrivals/:id?',
    href: '/arrivals',
    name: 'nav.arrivals',
    section: 'money',
    may: 'arrivals.see',
    Icon: Inbox,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/arrivals/arrivals-page.tsx')).ArrivalsPage })),
  },
  {
    path: 'withdrawals/:trx?',
    href: '/withdrawals',
    name: 'nav.withdrawals',
    section: 'money',
    may: 'withdrawals.see',
    Icon: ArrowUpFromLine,
    count: 'withdrawals',
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/withdrawals/withdrawals-page.tsx')).WithdrawalsPage,
    })),
  },
  {
    path: 'payment-files/:id?',
    href: '/payment-files',
    name: 'nav.payment_files',
    section: 'money',
    may: 'withdrawals.see',
    Icon: FileSpreadsheet,
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/payment-files/payment-files-page.tsx')).PaymentFilesPage,
    })),
  },
  {
    path: 'gateways/:id?',
    href: '/gateways',
    name: 'nav.gateways',
    section: 'money',
    may: 'gateways.see',
    Icon: Landmark,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/gateways/gateways-page.tsx')).GatewaysPage })),
  },
  {
    path: 'corrections/:id?',
    href: '/corrections',
    name: 'nav.corrections',
    section: 'money',
    may: 'corrections.see',
    Icon: Scale,
    count: 'corrections',
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/corrections/corrections-page.tsx')).CorrectionsPage,
    })),
  },
  {
    path: 'reports',
    href: '/reports',
    name: 'nav.reports',
    section: 'money',
    may: 'reports.see',
    Icon: ChartColumn,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/reports/reports-page.tsx')).ReportsPage })),
  },
  {
    path: 'pages/:kind?/:key?',
    href: '/pages',
    name: 'nav.content_pages',
    section: 'content',
    may: 'content.see',
    Icon: FileText,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/content/content-page.tsx')).PagesPage })),
  },
  {
    path: 'faq/:kind?/:key?',
    href: '/faq',
    name: 'nav.content_home',
    section: 'content',
    may: 'content.see',
    Icon: MessagesSquare,
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/content/content-page.tsx')).HomeContentPage,
    })),
  },
  {
    path: 'announcements/:id?',
    href: '/announcements',
    name: 'nav.announcements',
    section: 'content',
    may: 'content.see',
    Icon: Megaphone,
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/announcements/announcements-page.tsx')).AnnouncementsPage,
    })),
  },
  {
    path: 'texts/:key?',
    href: '/texts',
    name: 'nav.texts',
    section: 'content',
    may: 'content.see',
    Icon: Languages,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/texts/texts-page.tsx')).TextsPage })),
  },
  {
    path: 'symbols/:code?',
    href: '/symbols',
    name: 'nav.symbols',
    section: 'markets',
    may: 'markets.see',
    Icon: ChartCandlestick,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/symbols/symbols-page.tsx')).SymbolsPage })),
  },
  {
    path: 'terms/:id?',
    href: '/terms',
    name: 'nav.terms',
    section: 'markets',
    may: 'markets.see',
    Icon: Timer,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/terms/terms-page.tsx')).TermsPage })),
  },
  {
    path: 'hours',
    href: '/hours',
    name: 'nav.hours',
    section: 'markets',
    may: 'markets.see',
    Icon: CalendarClock,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/hours/hours-page.tsx')).HoursPage })),
  },
  {
    path: 'exposure',
    href: '/exposure',
    name: 'nav.exposure',
    section: 'markets',
    may: 'exposure.see',
    Icon: Gauge,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/exposure/exposure-page.tsx')).ExposurePage })),
  },
  {
    path: 'maintenance',
    href: '/maintenance',
    name: 'nav.maintenance',
    section: 'markets',
    may: 'maintenance.edit',
    Icon: Construction,
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/maintenance/maintenance-page.tsx')).MaintenancePage,
    })),
  },
  {
    path: 'orders/:trx?',
    href: '/orders',
    name: 'nav.orders',
    section: 'markets',
    may: 'orders.see',
    Icon: ChartCandlestick,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/orders/orders-page.tsx')).OrdersPage })),
  },
  {
    path: 'ledger/:userId?/:reference?',
    href: '/ledger',
    name: 'nav.ledger',
    section: 'money',
    may: 'ledger.see',
    Icon: BookOpenText,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/ledger/ledger-page.tsx')).LedgerPage })),
  },
  {
    path: 'staff/:id?',
    href: '/staff',
    name: 'nav.staff',
    section: 'system',
    may: 'staff.manage',
    Icon: IdCard,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/staff/staff-page.tsx')).StaffPage })),
  },
  {
    path: 'countries',
    href: '/countries',
    name: 'nav.countries',
    section: 'system',
    may: 'countries.edit',
    Icon: Earth,
    Page: lazy(async () => ({
      default: (await import('#back-office/pages/countries/countries-page.tsx')).CountriesPage,
    })),
  },
  {
    path: 'changes/:id?',
    href: '/changes',
    name: 'nav.changes',
    section: 'system',
    may: 'dashboard.see',
    Icon: Hourglass,
    count: 'changes',
    Page: lazy(async () => ({ default: (await import('#back-office/pages/changes/changes-page.tsx')).ChangesPage })),
  },
  {
    path: 'audit/:id?',
    href: '/audit',
    name: 'nav.audit',
    section: 'system',
    may: 'audit.see',
    Icon: ScrollText,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/audit/audit-page.tsx')).AuditPage })),
  },
  {
    path: 'settings',
    href: '/settings',
    name: 'nav.settings',
    section: 'system',
    may: 'settings.see',
    Icon: Settings,
    Page: lazy(async () => ({ default: (await import('#back-office/pages/settings/settings-page.tsx')).SettingsPage })),
  },
]

/** The page with the staff member's own sessions, linked beside their name. */
export const SessionsPage = lazy(async () => ({
  default: (await import('#back-office/pages/sessions/sessions-page.tsx')).SessionsPage,
}))
