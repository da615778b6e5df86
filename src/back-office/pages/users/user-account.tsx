import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { amount, money, time } from '#back-office/i18n/format.ts'
import { uidOf } from '#core/accounts/uid.ts'
import { AskCorrection } from '#back-office/pages/corrections/ask-correction.tsx'
import { UserClosing } from '#back-office/pages/users/user-closing.tsx'
import { RecoverSheet } from '#back-office/pages/users/recover-sheet.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { UserOwnLimits } from '#back-office/pages/users/user-own-limits.tsx'
import { UserPermissions } from '#back-office/pages/users/user-permissions.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** The user's identity, balances and permissions. */
export function UserAccount({ user }: { user: UserData }) {
  return (
    <div className="grid gap-4 px-4 pt-4 md:px-6 lg:grid-cols-2">
      <h2 className="sr-only">{t('users.tab_account')}</h2>
      <div className="flex flex-col gap-4">
        <UserMoney user={user} />
        <UserProfile user={user} />
      </div>
      <div className="flex flex-col gap-4">
        <UserClosing user={user} />
        <UserPermissions user={user} />
        <UserOwnLimits user={user} />
      </div>
    </div>
  )
}

function UserMoney({ user }: { user: UserData }) {
  const [isAsking, setAsking] = useState(false)
  const mayCorrect = useMay('corrections.decide')
  return (
    <Card>
      <Block title={t('users.money')}>
        <p className="num pb-1 text-title">{money(user.cash)}</p>
        <Facts>
          <Fact name={t('users.staked_count', { count: user.open_orders })}>{money(user.staked)}</Fact>
          <Fact name={t('users.withdrawing')}>{money(user.withdrawing)}</Fact>
          <Fact name={t('users.credits')}>{amount(user.credits)}</Fact>
        </Facts>
      </Block>
      {mayCorrect && (
        <Button variant="secondary" size="s" onClick={() => setAsking(true)}>
          {t('users.correct')}
        </Button>
      )}
      <AskCorrection user={user} open={isAsking} onClose={() => setAsking(false)} />
    </Card>
  )
}

function UserProfile({ user }: { user: UserData }) {
  const [isAsking, setAsking] = useState(false)
  const mayRecover = useMay('recovery.ask')
  const none = <span className="text-fg-3">{t('users.not_given')}</span>
  const name = `${user.firstname} ${user.lastname}`.trim()
  const address = user.address.map(({ value }) => value).join(', ')
  return (
    <Card>
      <Block title={t('users.profile')}>
        <Facts>
          <Fact name={t('users.name')}>{name || none}</Fact>
          <Fact name={t('users.uid')}>{uidOf(user.id)}</Fact>
          <Fact name={t('users.email')}>{user.email ?? none}</Fact>
          <Fact name={t('users.mobile')}>{user.mobile || none}</Fact>
          <Fact name={t('users.country')}>{user.country_code || none}</Fact>
          <Fact name={t('users.address')}>{address || none}</Fact>
          <Fact name={t('users.language')}>{user.language}</Fact>
          <Fact name={t('users.pin')}>{t(user.has_pin ? 'users.pin_set' : 'users.pin_not_set')}</Fact>
          {user.invitation_code !== null && <Fact name={t('users.invitation')}>{user.invitation_code}</Fact>}
          <Fact name={t('users.joined')}>{time(user.created_at)}</Fact>
        </Facts>
      </Block>
      {mayRecover && (
        <Button variant="secondary" size="s" onClick={() => setAsking(true)}>
          {t('recoveries.ask')}
        </Button>
      )}
      <RecoverSheet user={user} open={isAsking} onClose={() => setAsking(false)} />
    </Card>
  )
}
