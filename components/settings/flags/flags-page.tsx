'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SettingsPage } from '../settings-page.tsx'
import { FlagSections } from './flag-sections.tsx'
import { ReportFiles } from './report-files.tsx'
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
