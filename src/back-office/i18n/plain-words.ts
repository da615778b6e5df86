import { VOID_REASONS } from '#core/orders/order.ts'
import { backOfficeTexts } from '#messages/back-office/english.ts'
import { type BackOfficeKey, t } from '#back-office/i18n/t.ts'

/**
 * Display names for the codes in the ledger, the audit log and orders. Details and exports show the codes themselves.
 */

/** Returns "House: trading" for `house:trading`. */
export function accountName(account: string): string {
  const name = account.replace(':', '_')
  return has('account', name) ? t(`account.${name}` as BackOfficeKey) : t('account.unknown', { code: account })
}

/** Returns "From → to" for two accounts. */
export function movement(from: string, to: string): string {
  return `${accountName(from)} → ${accountName(to)}`
}

/** Returns "Profit of an order" for `order_profit`. */
export function transferName(kind: string): string {
  return has('transfer', kind) ? t(`transfer.${kind}` as BackOfficeKey) : t('transfer.unknown', { code: kind })
}

/** Returns "Changed a staff member" for `staff/:id/change`. Works for commands too. */
export function actionName(what: string): string {
  return has('action', actionKey(what)) ? t(`action.${actionKey(what)}` as BackOfficeKey) : what
}

/** Whether an action has its own name. */
export function hasActionName(what: string): boolean {
  return has('action', actionKey(what))
}

/** Returns "Staff" for `staff`, the first segment of an action. */
export function areaName(area: string): string {
  return has('area', area) ? t(`area.${area}` as BackOfficeKey) : area
}

/** Returns the text for the reason why an order is void. */
export function voidReason(reason: string): string {
  const known = VOID_REASONS.find((one) => one === reason)
  return known === undefined ? reason : t(`orders.void_${known}`)
}

/** Returns `staff_change` for `staff/:id/change`: the path without its parameters. */
function actionKey(what: string): string {
  return what
    .split(/[/ ]/)
    .filter((part) => part !== '' && !part.startsWith(':'))
    .join('_')
    .replaceAll('-', '_')
}

function has(section: keyof typeof backOfficeTexts, name: string): boolean {
  return Object.hasOwn(backOfficeTexts[section], name)
}
