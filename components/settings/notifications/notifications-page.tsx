'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import type {
  NotificationChannel,
  NotificationsChange,
  OwnNotifications,
  Pace,
  Topic,
} from '#server/modules/integrations/notifications/schema.ts'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { PushSection } from './push-section.tsx'

type Change = (change: Omit<NotificationsChange, 'zone'>) => void

/** What the person is notified of outside the desk, and when: each change applies immediately. */
export function NotificationsPage() {
  const t = useTranslations('notifications')
  const own = useQuery(useTRPC().notifications.own.queryOptions())
  const { change, resume, failure } = useChange()

  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      strip={
        own.data?.mailEnded && (
          <Banner
            kind="warn"
            acts={
              <Button size="small" onPress={resume}>
                {t('resume')}
              </Button>
            }
          >
            {t('ended', { code: String(own.data.mailEnded.code ?? 'none') })}
          </Banner>
        )
      }
    >
      <QueryState query={own} />
      {failure && (
        <p role="alert" className="mt-3 text-reject">
          {failure}
        </p>
      )}
      {own.data && (
        <>
          <SettingsSection id="what" title={t('what')}>
            <p className="text-small text-ink-3">
              {own.data.canMail ? t('mailTo', { email: own.data.email }) : t('noMail')}
            </p>
            {own.data.topics.map((topic) => (
              <TopicRow key={topic} topic={topic} own={own.data} onChange={change} />
            ))}
          </SettingsSection>
          {own.data.pushKey !== undefined && <PushSection pushKey={own.data.pushKey} browsers={own.data.browsers} />}
          <SettingsSection id="when" title={t('when')}>
            <Hours own={own.data} onChange={change} />
          </SettingsSection>
        </>
      )}
    </SettingsPage>
  )
}

function useChange() {
  const t = useTranslations('notifications')
  const { notifications } = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const { zone = 'UTC' } = usePreferences().preferences
  const changing = useMutation({
    mutationFn: (act: () => Promise<OwnNotifications>) => act(),
    onSuccess: (own) => queryClient.setQueryData(notifications.own.queryKey(), own),
    onError: () => queryClient.invalidateQueries(notifications.own.queryFilter()),
  })
  const change: Change = (changed) =>
    changing.mutate(() => trpcClient.notifications.change.mutate({ zone, ...changed }), {
      onSuccess: () => announce(t('saved')),
    })
  return {
    change,
    resume: () =>
      changing.mutate(() => trpcClient.notifications.resumeMail.mutate(), { onSuccess: () => announce(t('resumed')) }),
    failure: useErrorMessage()(changing.error),
  }
}

const PACES = ['off', 'once', 'hourly', 'daily'] as const satisfies (Pace | 'off')[]

/** A topic, and how soon the person is notified on each channel. */
function TopicRow({ topic, own, onChange }: { topic: Topic; own: OwnNotifications; onChange: Change }) {
  const t = useTranslations('notifications')
  const paces = PACES.map((id) => ({ id, label: t(`paces.${id}`) }))
  const channels = own.canMail ? (['mail', 'push'] as const) : (['push'] as const)
  const paceOf = (channel: NotificationChannel) =>
    own.choices.find((choice) => choice.topic === topic && choice.channel === channel)?.pace ?? 'off'

  return (
    <fieldset className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-2.5">
      <legend className="contents">
        <span className="sr-only">{t(`topics.${topic}`)}</span>
      </legend>
      <span aria-hidden className="min-w-0 flex-1 basis-72">
        <span className="block font-firm text-ink">{t(`topics.${topic}`)}</span>
        <span className="block">{t(`about.${topic}`)}</span>
      </span>
      {channels.map((channel) => (
        <Select
          key={channel}
          label={t(channel)}
          options={paces}
          value={paceOf(channel)}
          onChange={(pace) => onChange({ choice: { topic, channel, pace: pace === 'off' ? null : pace } })}
        />
      ))}
    </fieldset>
  )
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  id: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))
const NIGHT = { from: 22, until: 7 }
const REPORTS = [1, 2, 3, 5, 10, 20, 50, 100]

function Hours({ own, onChange }: { own: OwnNotifications; onChange: Change }) {
  const t = useTranslations('notifications')
  const { zone = 'UTC' } = usePreferences().preferences
  const { digestHour, quiet, reportsFrom } = own
  const counts = [...new Set([...REPORTS, reportsFrom])].sort((one, other) => one - other)
  return (
    <>
      <p className="text-small text-ink-3">{t('zone', { zone })}</p>
      <div className="mt-3 flex flex-wrap gap-x-6 gap-y-3">
        <HourSelect label={t('digestHour')} hour={digestHour} onChange={(hour) => onChange({ digestHour: hour })} />
        {own.topics.includes('reports') && (
          <Select
            label={t('reportsFrom')}
            options={counts.map((count) => ({ id: String(count), label: String(count) }))}
            value={String(reportsFrom)}
            onChange={(count) => onChange({ reportsFrom: Number(count) })}
          />
        )}
      </div>
      <SwitchRow
        label={t('quiet')}
        about={t('quietText')}
        isOn={quiet !== undefined}
        onChange={(isOn) => onChange({ quiet: isOn ? NIGHT : null })}
      />
      {quiet && (
        <div className="mt-2 flex flex-wrap gap-x-6 gap-y-3">
          <HourSelect
            label={t('quietFrom')}
            hour={quiet.from}
            except={quiet.until}
            onChange={(from) => onChange({ quiet: { ...quiet, from } })}
          />
          <HourSelect
            label={t('quietUntil')}
            hour={quiet.until}
            except={quiet.from}
            onChange={(until) => onChange({ quiet: { ...quiet, until } })}
          />
        </div>
      )}
    </>
  )
}

interface HourSelectProps {
  label: string
  hour: number
  except?: number
  onChange: (hour: number) => void
}

function HourSelect({ label, hour, except, onChange }: HourSelectProps) {
  return (
    <Select
      label={label}
      options={HOURS.filter(({ id }) => Number(id) !== except)}
      value={String(hour)}
      onChange={(id) => onChange(Number(id))}
    />
  )
}
