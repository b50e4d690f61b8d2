'use client'
import { useTranslations } from 'use-intl'
import { forgetAllDrafts } from '#components/kit/acts/drafts.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'

/** Redirects to sign-in with a full page load, so that nothing read here stays in memory. */
export function useSignOut(): () => Promise<void> {
  const t = useTranslations('shell')
  const announce = useAnnounce()
  return async () => {
    const answer = await fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => undefined)
    if (!answer?.ok) return announce(t('signOutFailed'))
    forgetAllDrafts()
    location.assign('/sign-in')
  }
}
