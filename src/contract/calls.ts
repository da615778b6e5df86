import * as auth from '#contract/auth.ts'
import * as caps from '#contract/caps.ts'
import * as closing from '#contract/closing.ts'
import * as content from '#contract/content.ts'
import * as recovery from '#contract/recovery.ts'
import * as goodwill from '#contract/goodwill.ts'
import * as tickets from '#contract/tickets.ts'
import * as leave from '#contract/leave.ts'
import * as keys from '#contract/keys.ts'
import * as desk from '#contract/desk.ts'
import * as limits from '#contract/limits.ts'
import * as alerts from '#contract/alerts.ts'
import * as notices from '#contract/notices.ts'
import * as push from '#contract/push.ts'
import * as deposits from '#contract/deposits.ts'
import * as fairness from '#contract/fairness.ts'
import * as figures from '#contract/figures.ts'
import * as incidents from '#contract/incidents.ts'
import * as markets from '#contract/markets.ts'
import * as passwordReset from '#contract/password-reset.ts'
import * as proof from '#contract/proof.ts'
import * as moneyReceipts from '#contract/money-receipts.ts'
import * as recentTicks from '#contract/recent-ticks.ts'
import * as register from '#contract/register.ts'
import * as measures from '#contract/measures.ts'
import * as people from '#contract/people.ts'
import * as practice from '#contract/practice.ts'
import * as profile from '#contract/profile.ts'
import * as receipts from '#contract/receipts.ts'
import * as security from '#contract/security.ts'
import * as sales from '#contract/sales.ts'
import * as serviceLevels from '#contract/service-levels.ts'
import * as settings from '#contract/settings.ts'
import * as sources from '#contract/sources.ts'
import * as statement from '#contract/statement.ts'
import * as tasks from '#contract/tasks.ts'
import * as adjustments from '#contract/adjustments.ts'
import * as recordAudit from '#contract/record-audit.ts'
import * as voids from '#contract/voids.ts'
import * as ownData from '#contract/own-data.ts'
import * as terms from '#contract/terms.ts'
import * as termsOfUse from '#contract/terms-of-use.ts'
import * as trades from '#contract/trades.ts'
import * as transactions from '#contract/transactions.ts'
import * as verification from '#contract/verification.ts'
import * as withdrawals from '#contract/withdrawals.ts'

/** All HTTP calls of the app, by the names that routes and clients use. */
export const calls = {
  generalSetting: settings.generalSetting,
  textOverrides: settings.textOverrides,
  countries: settings.countries,
  displayRates: settings.displayRates,
  outbox: settings.outbox,
  register: auth.register,
  login: auth.login,
  secondStep: auth.secondStep,
  passkeyTask: auth.passkeyTask,
  passkeySignIn: auth.passkeySignIn,
  logout: auth.logout,
  security: security.security,
  securityConfirm: security.securityConfirm,
  securityPasskeyTask: security.securityPasskeyTask,
  addPasskey: security.addPasskey,
  renamePasskey: security.renamePasskey,
  removePasskey: security.removePasskey,
  beginAuthenticator: security.beginAuthenticator,
  turnOnAuthenticator: security.turnOnAuthenticator,
  turnOffAuthenticator: security.turnOffAuthenticator,
  renewRecoveryCodes: security.renewRecoveryCodes,
  endSession: security.endSession,
  endOtherSessions: security.endOtherSessions,
  noticeSignIns: security.noticeSignIns,
  keys: keys.keys,
  makeKey: keys.makeKey,
  endKey: keys.endKey,
  endKeys: keys.endKeys,
  keyItself: keys.keyItself,
  desk: desk.desk,
  saveDesk: desk.saveDesk,
  drawings: desk.drawings,
  saveDrawings: desk.saveDrawings,
  limits: limits.limits,
  changeLimits: limits.changeLimits,
  confirmLimitChange: limits.confirmLimitChange,
  dropLimitChange: limits.dropLimitChange,
  realitySeen: limits.realitySeen,
  limitPrompt: limits.limitPrompt,
  takeTimeOut: limits.takeTimeOut,
  takeExclusion: limits.takeExclusion,
  askToReturn: limits.askToReturn,
  confirmReturn: limits.confirmReturn,
  alerts: alerts.alerts,
  setAlert: alerts.setAlert,
  changeAlert: alerts.changeAlert,
  endAlert: alerts.endAlert,
  repeatAlert: alerts.repeatAlert,
  notices: notices.notices,
  readNotices: notices.readNotices,
  noticeMail: notices.noticeMail,
  unsubscribing: notices.unsubscribing,
  unsubscribe: notices.unsubscribe,
  chooseNoticeMail: notices.chooseNoticeMail,
  push: push.push,
  subscribePush: push.subscribePush,
  changePush: push.changePush,
  removePush: push.removePush,
  testPush: push.testPush,
  choosePush: push.choosePush,
  forgetPassword: passwordReset.forgetPassword,
  checkResetCode: passwordReset.checkResetCode,
  resetPassword: passwordReset.resetPassword,
  resendCode: verification.resendCode,
  verifyCode: verification.verifyCode,
  profile: profile.profile,
  saveProfile: profile.saveProfile,
  saveProfileImage: profile.saveProfileImage,
  removeProfileImage: profile.removeProfileImage,
  changePassword: profile.changePassword,
  currencyList: markets.currencyList,
  favoriteList: markets.favoriteList,
  favorite: markets.favorite,
  klineHistorical: markets.klineHistorical,
  candlePage: markets.candlePage,
  recentTicks: recentTicks.recentTicks,
  proofReceipt: receipts.proofReceipt,
  proofEvidence: receipts.proofEvidence,
  proofKeys: receipts.proofKeys,
  proofHeads: receipts.proofHeads,
  proofRegister: register.proofRegister,
  proofOfReceipt: register.proofOfReceipt,
  proofMoney: moneyReceipts.proofMoney,
  proofBatches: register.proofBatches,
  proofConsistency: register.proofConsistency,
  addCosignature: register.addCosignature,
  proofSources: sources.proofSources,
  proofSource: sources.proofSource,
  proofIncidents: incidents.proofIncidents,
  proofTerms: terms.proofTerms,
  proofCaps: caps.proofCaps,
  userMeasures: measures.userMeasures,
  proofMeasures: measures.proofMeasures,
  proofServiceLevels: serviceLevels.proofServiceLevels,
  proofPeople: people.proofPeople,
  proofActs: people.proofActs,
  proofTexts: settings.proofTexts,
  latestTrades: markets.latestTrades,
  recentTrades: trades.recentTrades,
  ownTrade: trades.ownTrade,
  tradeTicks: trades.tradeTicks,
  tradeResult: trades.tradeResult,
  saleQuote: sales.saleQuote,
  sellOrder: sales.sellOrder,
  depositGateways: deposits.depositGateways,
  deposits: deposits.deposits,
  saveDeposit: deposits.saveDeposit,
  requoteDeposit: deposits.requoteDeposit,
  closeDeposit: deposits.closeDeposit,
  withdrawMethods: withdrawals.withdrawMethods,
  withdrawMethod: withdrawals.withdrawMethod,
  saveWithdrawMethod: withdrawals.saveWithdrawMethod,
  withdrawals: withdrawals.withdrawals,
  saveWithdrawal: withdrawals.saveWithdrawal,
  cancelWithdrawal: withdrawals.cancelWithdrawal,
  saveWithdrawalPin: withdrawals.saveWithdrawalPin,
  leave: leave.leave,
  stopRecovery: recovery.stopRecovery,
  stopRecoveryByLink: recovery.stopRecoveryByLink,
  recoveryLink: recovery.recoveryLink,
  finishRecovery: recovery.finishRecovery,
  tickets: tickets.tickets,
  ticket: tickets.ticket,
  openTicket: tickets.openTicket,
  writeToTicket: tickets.writeToTicket,
  closeTicket: tickets.closeTicket,
  proofGoodwill: goodwill.proofGoodwill,
  sendLeaveCode: leave.sendLeaveCode,
  requestLeave: leave.requestLeave,
  pendingTransactions: transactions.pendingTransactions,
  closedTransactions: transactions.closedTransactions,
  adjustments: adjustments.adjustments,
  disputeAdjustment: adjustments.disputeAdjustment,
  statement: statement.statement,
  statementCsv: statement.statementCsv,
  signedStatement: statement.signedStatement,
  figures: figures.figures,
  termsOfUse: termsOfUse.termsOfUse,
  termsOfUseVersion: termsOfUse.termsOfUseVersion,
  agreeToTerms: termsOfUse.agreeToTerms,
  closing: closing.closing,
  closeAccount: closing.closeAccount,
  cancelClosing: closing.cancelClosing,
  practice: practice.practice,
  openPractice: practice.openPractice,
  resetPractice: practice.resetPractice,
  dataExport: ownData.dataExport,
  requestDataExport: ownData.requestDataExport,
  downloadDataExport: ownData.downloadDataExport,
  pages: content.pages,
  page: content.page,
  posts: content.posts,
  post: content.post,
  homeContent: content.homeContent,
  announcements: content.announcements,
  tasks: tasks.tasks,
  taskChecked: tasks.taskChecked,
  liabilities: proof.liabilities,
  ownLiability: proof.ownLiability,
  fairness: fairness.fairness,
  proofVoids: voids.proofVoids,
  proofAudit: recordAudit.proofAudit,
}
export type Calls = typeof calls
