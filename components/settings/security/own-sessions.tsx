'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { StaffSession } from '#server/modules/accounts/staff/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { SessionsList } from '../staff/sessions-list.tsx'
import type { SecurityActs } from './password-section.tsx'

/** The person's sessions; the current one ends by signing out. */
export function OwnSessions({ sessions, acts }: { sessions: StaffSession[]; acts: SecurityActs }) {
  const t = useTranslations('security.sessions')
  const ending = useMutation(useTRPC().ownSignIn.endSessions.mutationOptions())
  const end = (which: { sessionId?: string }, count: number, words: string) =>
    acts.confirm(
      { title: t('askTitle'), means: t('askMeans', { sessions: count }), submit: t('askSubmit') },
      () => ending.mutateAsync(which),
      { words },
    )
  return (
    <SettingsSection
      id="sessions"
      title={t('title')}
      acts={
        sessions.length > 1 && (
          <Button onPress={() => end({}, sessions.length - 1, t('othersEnded'))}>{t('endOthers')}</Button>
        )
      }
    >
      <SessionsList sessions={sessions} onEnd={({ sessionId }) => end({ sessionId }, 1, t('ended'))} />
    </SettingsSection>
  )
}
