import { backOfficeTexts } from '#messages/back-office/english.ts'
import { type AdminKey, t } from '#back-office/i18n/t.ts'

/** What codes of the ledger, of the audit log and of orders are called on screens. The codes are in details and exports. */

/** "House: trading" of `house:trading`. */
export function accountName(account: string): string {
  const name = account.replace(':', '_')
  return has('account', name) ? t(`account.${name}` as AdminKey) : t('account.unknown', { code: account })
}

/** "From → to" of two accounts. */
export function movement(from: string, to: string): string {
  return `${accountName(from)} → ${accountName(to)}`
}

/** "Profit of an order" of `order_profit`. */
export function transferName(kind: string): string {
  return has('transfer', kind) ? t(`transfer.${kind}` as AdminKey) : t('transfer.unknown', { code: kind })
}

/** Every kind of transfer that has a name. */
export const TRANSFER_KINDS = Object.keys(backOfficeTexts.transfer).filter((kind) => kind !== 'unknown')

/** "Changed a staff member" of `staff/:id/change`, and of a command likewise. */
export function actionName(what: string): string {
  return has('action', actionKey(what)) ? t(`action.${actionKey(what)}` as AdminKey) : what
}

/** Whether an action has a name of its own. */
export function hasActionName(what: string): boolean {
  return has('action', actionKey(what))
}

/** "Staff" of `staff`, the first word of what was done. */
export function areaName(area: string): string {
  return has('area', area) ? t(`area.${area}` as AdminKey) : area
}

/** Why an order is void. */
export function voidReason(reason: string): string {
  return t(reason === 'no_tick_before_expiry' ? 'orders.void_no_tick' : 'orders.void_no_price')
}

/** `staff_change`: the words without what is filled in. */
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
