'use client'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { IN_BOLD } from '#components/ui/in-bold.tsx'
import { Toggle } from '#components/ui/toggle.tsx'
import type { ModerationFlags, ModerationSettings } from '#server/modules/network/settings/schema.ts'
import { SettingsPage } from '../settings-page.tsx'
import { useDialogs } from '../use-dialogs.tsx'
import { ReportFiles, useReportDay } from './report-files.tsx'
import { RuleList } from './rule-list.tsx'
import { TryText } from './try-text.tsx'

/** Both moderation settings, the lists that the first one uses, and the files that the second one creates. */
export function FlagsPage() {
  const t = useTranslations('flags')
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const { last, done, undo, dismiss } = useLastAct()
  useActs(last?.undo ? { takeBack: () => undo(last) } : {})
  const readsReports = me.opens.includes('audit')
  return (
    <SettingsPage title={t('title')} lead={t('lead')}>
      <FlagSections readsReports={readsReports} />
      <RuleList list="allow" onDone={done} />
      <RuleList list="block" onDone={done} />
      <TryText />
      {readsReports && <ReportFiles />}
      <div className="sticky bottom-2 z-3 mx-auto max-w-115">
        <ActToast last={last} onUndo={undo} onDismiss={dismiss} />
      </div>
    </SettingsPage>
  )
}

type Flag = keyof ModerationSettings

/** The two flags: what each does, its effect right now, and who changed it last. */
function FlagSections({ readsReports }: { readsReports: boolean }) {
  const read = useQuery(useTRPC().settings.flags.queryOptions())
  const { turn, failure } = useTurn()
  const t = useTranslations('flags')
  const { lists } = useTRPC()
  const queryClient = useQueryClient()
  const { confirm, dialog } = useDialogs()

  /** What is refused is lost, also where the flag is off again a minute later. */
  async function turnLinks(flag: Flag, isOn: boolean): Promise<void> {
    if (!isOn) {
      turn(flag, isOn)
      return
    }
    const reading = queryClient.fetchQuery({ ...lists.kept.queryOptions({ list: 'allow' }), staleTime: 0 })
    const allowed = await reading.catch(() => undefined)
    const question = {
      title: t('askTitle'),
      means: allowed ? t('askMeans', { count: allowed.count }) : t('askMeansUncounted'),
      submit: t('askSubmit'),
    }
    confirm(question, async () => turn(flag, isOn))
  }
  return (
    <>
      {dialog}
      <QueryState query={read} />
      {failure && (
        <p role="alert" className="mt-3 text-reject">
          {failure}
        </p>
      )}
      {read.data && (
        <>
          <FlagSection flag="isWhitelistEnabled" flags={read.data} onTurn={(flag, isOn) => void turnLinks(flag, isOn)}>
            <LinksNow isOn={read.data.settings.isWhitelistEnabled} />
          </FlagSection>
          <FlagSection flag="isReportEnabled" flags={read.data} onTurn={turn}>
            <ReportNow isOn={read.data.settings.isReportEnabled} readsReports={readsReports} />
          </FlagSection>
        </>
      )}
    </>
  )
}

/** Updates the page immediately, and reverts if the server rejects the change. */
function useTurn() {
  const t = useTranslations('flags')
  const { settings } = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const queryKey = settings.flags.queryKey()
  const changing = useMutation(
    settings.changeFlags.mutationOptions({
      onMutate: async (changed) => {
        await queryClient.cancelQueries({ queryKey })
        const before = queryClient.getQueryData(queryKey)
        queryClient.setQueryData(queryKey, (now) => now && { ...now, settings: { ...now.settings, ...changed } })
        return { before }
      },
      onError: (_error, _changed, context) => queryClient.setQueryData(queryKey, context?.before),
      onSettled: () => queryClient.invalidateQueries({ queryKey }),
    }),
  )
  return {
    turn: (flag: Flag, isOn: boolean) =>
      changing.mutate(
        { [flag]: isOn },
        { onSuccess: () => announce(t(isOn ? 'turnedOn' : 'turnedOff', { name: t(flag) })) },
      ),
    failure: errorMessageOf(changing.error),
  }
}

interface FlagSectionProps {
  flag: Flag
  flags: ModerationFlags
  onTurn: (flag: Flag, isOn: boolean) => void
  /** Its effect right now. */
  children: ReactNode
}

function FlagSection({ flag, flags, onTurn, children }: FlagSectionProps) {
  const t = useTranslations('flags')
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-4 flex gap-3.5 border-t border-line-strong pt-4">
      <Toggle isOn={flags.settings[flag]} onChange={(isOn) => onTurn(flag, isOn)} aria-labelledby={id} />
      <div className="min-w-0 flex-1">
        <h2 id={id} className="text-large font-bold text-ink">
          {t(flag)}{' '}
          <code className="ms-1 font-code text-small font-normal text-ink-3 phone:ms-0 phone:block">{flag}</code>
        </h2>
        <p>{t(`${flag}Text`)}</p>
        <p
          aria-live="polite"
          className="mt-2 mb-1.5 rounded-2 bg-sunken px-2.5 py-1.5 wrap-anywhere forced-colors:border"
        >
          {children}
        </p>
        <p className="text-small text-ink-3">
          <LastChange isOn={flags.settings[flag]} change={flags.changes[flag]} />
        </p>
      </div>
    </section>
  )
}

interface LastChangeProps {
  isOn: boolean
  change: ModerationFlags['changes'][Flag]
}

function LastChange({ isOn, change }: LastChangeProps) {
  const t = useTranslations('flags')
  const times = useTimes()
  if (!change) return t(isOn ? 'onSinceStart' : 'offSinceStart')
  const since = t(isOn ? 'onSince' : 'offSince', { time: times.exact(change.at) })
  return t('changedBy', { since, who: change.by?.displayName ?? t('aToken') })
}

function LinksNow({ isOn }: { isOn: boolean }) {
  const t = useTranslations('flags')
  const { data } = useQuery(useTRPC().lists.kept.queryOptions({ list: 'allow' }))
  return t.rich(isOn ? 'linksOn' : 'linksOff', { ...IN_BOLD, count: data?.count ?? 0 })
}

function ReportNow({ isOn, readsReports }: { isOn: boolean; readsReports: boolean }) {
  const t = useTranslations('flags')
  const times = useTimes()
  const dayOf = useReportDay()
  const { data } = useQuery(useTRPC().reports.list.queryOptions({}, { enabled: readsReports }))
  const latest = data?.reports[0]
  const today = new Date(times.now).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const noFile = data ? t('noFile') : ''
  const last = latest ? t('lastFile', { day: dayOf(latest.fileId) }) : noFile
  if (isOn) return t.rich(latest?.fileId === today ? 'reportOnToday' : 'reportOn', { ...IN_BOLD, last })
  return t.rich('reportOff', { ...IN_BOLD, last })
}
