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
  return (
    <SettingsSection
      id="sessions"
      title={t('title')}
      acts={
        sessions.length > 1 && (
          <Button onPress={() => acts.run(() => ending.mutateAsync({}), { words: t('othersEnded') })}>
            {t('endOthers')}
          </Button>
        )
      }
    >
      <SessionsList
        sessions={sessions}
        onEnd={({ sessionId }) => acts.run(() => ending.mutateAsync({ sessionId }), { words: t('ended') })}
      />
    </SettingsSection>
  )
}
