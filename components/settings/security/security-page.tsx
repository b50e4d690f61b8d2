'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SettingsPage } from '../settings-page.tsx'
import { useSettingsActs } from '../use-settings-acts.tsx'
import { CodesSection } from './codes-section.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'

/** The person's sign-in methods and sessions. */
export function SecurityPage() {
  const t = useTranslations('security')
  const parts = useTranslations('settingsParts')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const read = useQuery(trpc.ownSignIn.read.queryOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(trpc.ownSignIn.pathFilter()))

  return (
    <SettingsPage title={parts('security')} lead={t('lead')}>
      <QueryState query={read} />
      {read.data && (
        <>
          {read.data.hasPassword && <PasswordSection acts={acts} />}
          {read.data.hasPassword && <CodesSection isOn={read.data.hasSecondFactor} acts={acts} />}
          <PasskeysSection passkeys={read.data.passkeys} acts={acts} />
          <OwnSessions sessions={read.data.sessions} acts={acts} />
        </>
      )}
      {acts.toast}
    </SettingsPage>
  )
}
