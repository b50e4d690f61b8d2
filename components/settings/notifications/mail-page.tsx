'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import type { MailSettings } from '#server/modules/integrations/notifications/schema.ts'
import { Facts, Row } from '../rows.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { MailDialog } from './mail-dialog.tsx'
import { RoomsSection } from './rooms-section.tsx'

/** The mail server, chat rooms, whether notifications quote what was written, and whose address it refuses. */
export function MailPage() {
  const t = useTranslations('mailSettings')
  const { notifications } = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(notifications.mail.queryOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(notifications.mail.queryFilter()))

  return (
    <SettingsPage title={t('title')} lead={t('lead')}>
      <QueryState query={query} />
      {query.data && (
        <>
          <ServerSection settings={query.data} acts={acts} />
          <RoomsSection />
          <SettingsSection id="texts" title={t('texts')}>
            <TextsSwitch settings={query.data} acts={acts} />
          </SettingsSection>
          <SettingsSection id="ended" title={t('endedTitle')}>
            <Ended ended={query.data.ended} />
          </SettingsSection>
        </>
      )}
      {acts.toast}
    </SettingsPage>
  )
}

interface PartProps {
  settings: MailSettings
  acts: SettingsActs
}

function ServerSection({ settings, acts }: PartProps) {
  const t = useTranslations('mailSettings')
  const { server, version, isFromEnvironment } = settings
  const edit = () =>
    acts.open((close) => (
      <MailDialog
        settings={settings}
        onClose={close}
        onDone={() => {
          close()
          acts.done({ words: t('saved') })
        }}
      />
    ))
  const remove = () =>
    acts.confirm(
      { title: t('removeTitle'), about: server?.host, means: t('removeMeans'), submit: t('removeSubmit') },
      () => trpcClient.notifications.changeMail.mutate({ version, server: null }),
      { words: t('removed') },
    )

  return (
    <SettingsSection
      id="server"
      title={t('server')}
      acts={
        server &&
        !isFromEnvironment && (
          <>
            <Button onPress={edit}>{t('edit')}</Button>
            <Button onPress={remove}>{t('remove')}</Button>
          </>
        )
      }
    >
      {server ? (
        <ServerFacts settings={settings} server={server} />
      ) : (
        <EmptyState isInSection icon={<Mail />} title={t('none')} act={<Button onPress={edit}>{t('setUp')}</Button>}>
          {t('noneText')}
        </EmptyState>
      )}
    </SettingsSection>
  )
}

function ServerFacts({ settings, server }: { settings: MailSettings; server: NonNullable<MailSettings['server']> }) {
  const t = useTranslations('mailSettings')
  const times = useTimes()
  const problemOf = useMailProblem()
  const { lastSentAt, lastFailure, isFromEnvironment } = settings
  return (
    <>
      {isFromEnvironment && <p className="text-small text-ink-3">{t('fromEnvironment')}</p>}
      <Facts
        facts={[
          [t('host'), <bdi key="host">{`${server.host}:${server.port}`}</bdi>],
          [t('security'), t(`securities.${server.security}`)],
          [t('signIn'), server.username === '' ? t('nobody') : <bdi key="user">{server.username}</bdi>],
          [t('sender'), <bdi key="sender">{`${server.fromName} <${server.fromAddress}>`}</bdi>],
          [t('lastSent'), lastSentAt && times.exact(lastSentAt)],
          [
            t('lastFailure'),
            lastFailure && t('failure', { problem: problemOf(lastFailure), time: times.exact(lastFailure.at) }),
          ],
        ]}
      />
      <SendTest />
    </>
  )
}

function SendTest() {
  const t = useTranslations('mailSettings')
  const { notifications } = useTRPC()
  const problemOf = useMailProblem()
  const errorMessageOf = useErrorMessage()
  const testing = useMutation(notifications.testMail.mutationOptions())
  const { data, error, isPending } = testing
  const { problem } = data ?? {}
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button isDisabled={isPending} onPress={() => testing.mutate()}>
        {t(isPending ? 'testing' : 'test')}
      </Button>
      <span role="status" className={problem || error ? 'text-reject' : undefined}>
        {errorMessageOf(error)}
        {data && (problem ? problemOf({ ...data, problem }) : t('tested', { to: data.to, ms: data.durationMs }))}
      </span>
    </div>
  )
}

type Failure = Pick<NonNullable<MailSettings['lastFailure']>, 'problem' | 'code'>

/** Why a mail was not sent, in words. */
function useMailProblem(): (failure: Failure) => string {
  const t = useTranslations('mailSettings')
  return ({ problem, code }) => {
    const words = t(`problems.${problem}`)
    return code === undefined ? words : t('answered', { problem: words, code: String(code) })
  }
}

function TextsSwitch({ settings: { version, includesText }, acts }: PartProps) {
  const t = useTranslations('mailSettings')
  return (
    <SwitchRow
      label={t('includesText')}
      about={t('includesTextAbout')}
      isOn={includesText}
      onChange={(isOn) =>
        acts.run(() => trpcClient.notifications.changeTexts.mutate({ version, includesText: isOn }), {
          words: t(isOn ? 'turnedOn' : 'turnedOff'),
        })
      }
    />
  )
}

function Ended({ ended }: Pick<MailSettings, 'ended'>) {
  const t = useTranslations('mailSettings')
  const times = useTimes()
  if (ended.length === 0) return <p className="pt-2 text-ink-3">{t('endedNone')}</p>
  return (
    <>
      <p>{t('endedText')}</p>
      <ul className="mt-2">
        {ended.map(({ at, code, ...person }) => (
          <Row
            key={person.userId}
            title={<PersonLink person={person} />}
            about={[t('endedSince', { time: times.exact(at) }), ...(code === undefined ? [] : [code])].join(' · ')}
          />
        ))}
      </ul>
    </>
  )
}
