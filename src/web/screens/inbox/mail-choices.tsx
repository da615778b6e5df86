import { useState } from 'react'
import { type ChosenTopic, isChosenTopic } from '#core/accounts/notices.ts'
import { Alert } from '#ui/alert.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { callKey, queryClient, useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { useHasEmail } from '#web/session/has-email.ts'

/** The topics whose notices the user can also have by mail. */
export function MailChoices() {
  const query = useCallQuery('GET /user/notices/mail', {})
  const hasEmail = useHasEmail()
  const [failure, setFailure] = useState('')
  if (query.data === undefined) return <LoadingCard query={query} />
  const choose = async (topic: ChosenTopic, choice: { mail: boolean; inbox: boolean }) => {
    setFailure('')
    try {
      const reply = await call('POST /user/notices/mail', { body: { topic, ...choice } })
      queryClient.setQueryData(callKey('GET /user/notices/mail', {}), reply)
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  return (
    <>
      {failure !== '' && (
        <Alert tone="danger" className="mb-2">
          {failure}
        </Alert>
      )}
      {hasEmail && <MailSwitches topics={query.data.data.topics} choose={choose} />}
      <p className="mt-2 px-0.5 text-small text-fg-2">{t(hasEmail ? 'inbox.mail_hint' : 'inbox.mail_none')}</p>
      <List className="mt-3">
        {query.data.data.topics.flatMap(({ topic, mail, inbox }) => {
          if (topic !== 'results') return []
          const label = t('inbox.results_inbox')
          const change = (next: boolean) => void choose(topic, { mail: mail && next, inbox: next })
          return <ListRow key={topic} label={label} end={<Switch label={label} checked={inbox} onChange={change} />} />
        })}
      </List>
    </>
  )
}

interface MailSwitchesProps {
  topics: Reply<'GET /user/notices/mail'>['topics']
  choose: (topic: ChosenTopic, choice: { mail: boolean; inbox: boolean }) => Promise<void>
}

function MailSwitches({ topics, choose }: MailSwitchesProps) {
  return (
    <List>
      {topics.flatMap(({ topic, mail, inbox }) => {
        if (!isChosenTopic(topic)) return []
        const label = t(`inbox.${topic}`)
        const change = (next: boolean) => void choose(topic, { mail: next, inbox: true })
        return (
          <ListRow key={topic} label={label} end={<Switch label={label} checked={mail && inbox} onChange={change} />} />
        )
      })}
    </List>
  )
}
