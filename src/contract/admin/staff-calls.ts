import * as audit from '#contract/admin/audit.ts'
import * as counts from '#contract/admin/counts.ts'
import * as announcements from '#contract/admin/announcements.ts'
import * as content from '#contract/admin/content.ts'
import * as deposits from '#contract/admin/deposits.ts'
import * as ledger from '#contract/admin/ledger.ts'
import * as orders from '#contract/admin/orders.ts'
import * as hours from '#contract/admin/market-hours.ts'
import * as session from '#contract/admin/session.ts'
import * as staff from '#contract/admin/staff.ts'
import * as withdrawals from '#contract/admin/withdrawals.ts'
import * as symbols from '#contract/admin/symbols.ts'
import * as terms from '#contract/admin/trade-terms.ts'
import * as texts from '#contract/admin/texts.ts'

/** Every call of the back office by the name its routes and clients use. */
export const staffCalls = {
  staffSignIn: session.staffSignIn,
  staffSignInCode: session.staffSignInCode,
  staffJoin: session.staffJoin,
  staffSignOut: session.staffSignOut,
  staffMe: session.staffMe,
  adminStaff: staff.adminStaff,
  adminInviteStaff: staff.adminInviteStaff,
  adminReinviteStaff: staff.adminReinviteStaff,
  adminChangeStaff: staff.adminChangeStaff,
  adminSessions: staff.adminSessions,
  adminEndSession: staff.adminEndSession,
  adminCounts: counts.adminCounts,
  adminDeposits: deposits.adminDeposits,
  adminDepositFigures: deposits.adminDepositFigures,
  adminDeposit: deposits.adminDeposit,
  adminApproveDeposit: deposits.adminApproveDeposit,
  adminRejectDeposit: deposits.adminRejectDeposit,
  adminRemarkDeposit: deposits.adminRemarkDeposit,
  adminWithdrawals: withdrawals.adminWithdrawals,
  adminWithdrawalFigures: withdrawals.adminWithdrawalFigures,
  adminWithdrawal: withdrawals.adminWithdrawal,
  adminApproveWithdrawal: withdrawals.adminApproveWithdrawal,
  adminRejectWithdrawal: withdrawals.adminRejectWithdrawal,
  adminRemarkWithdrawal: withdrawals.adminRemarkWithdrawal,
  adminOrders: orders.adminOrders,
  adminOrder: orders.adminOrder,
  adminLedger: ledger.adminLedger,
  adminCheckLedger: ledger.adminCheckLedger,
  adminTransfers: ledger.adminTransfers,
  adminTransfersOf: ledger.adminTransfersOf,
  adminAudit: audit.adminAudit,
  adminAuditLine: audit.adminAuditLine,
  adminVerifyAudit: audit.adminVerifyAudit,
  adminSymbols: symbols.adminSymbols,
  adminSymbol: symbols.adminSymbol,
  adminPriceSource: symbols.adminPriceSource,
  adminAddSymbol: symbols.adminAddSymbol,
  adminEditSymbol: symbols.adminEditSymbol,
  adminCloseSymbol: symbols.adminCloseSymbol,
  adminOpenSymbol: symbols.adminOpenSymbol,
  adminSymbolPicture: symbols.adminSymbolPicture,
  adminTradeTerms: terms.adminTradeTerms,
  adminAddTradeTerms: terms.adminAddTradeTerms,
  adminEditTradeTerms: terms.adminEditTradeTerms,
  adminPayouts: terms.adminPayouts,
  adminPayoutNotice: terms.adminPayoutNotice,
  adminAnnouncePayout: terms.adminAnnouncePayout,
  adminQuickAmounts: terms.adminQuickAmounts,
  adminAddQuickAmount: terms.adminAddQuickAmount,
  adminChangeQuickAmount: terms.adminChangeQuickAmount,
  adminRemoveQuickAmount: terms.adminRemoveQuickAmount,
  adminMarketHours: hours.adminMarketHours,
  adminCloseMarket: hours.adminCloseMarket,
  adminOpenMarket: hours.adminOpenMarket,
  adminClosures: hours.adminClosures,
  adminPlanClosure: hours.adminPlanClosure,
  adminCancelClosure: hours.adminCancelClosure,
  adminContent: content.adminContent,
  adminContentEntry: content.adminContentEntry,
  adminSaveContent: content.adminSaveContent,
  adminRemoveContent: content.adminRemoveContent,
  adminAnnouncements: announcements.adminAnnouncements,
  adminAnnouncement: announcements.adminAnnouncement,
  adminSaveAnnouncement: announcements.adminSaveAnnouncement,
  adminRemoveAnnouncement: announcements.adminRemoveAnnouncement,
  adminTexts: texts.adminTexts,
  adminText: texts.adminText,
  adminSaveText: texts.adminSaveText,
  adminResetText: texts.adminResetText,
  adminLanguages: texts.adminLanguages,
  adminOfferLanguages: texts.adminOfferLanguages,
}
