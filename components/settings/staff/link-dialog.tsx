'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { LinkFacts, MadeLink } from '#server/modules/accounts/staff/schema.ts'
import { SecretDialog } from '../secret-dialog.tsx'

interface LinkDialogProps {
  link: MadeLink
  purpose: LinkFacts['purpose']
  onClose: () => void
}

/** The link for the person, shown once. */
export function LinkDialog({ link: { token, expiresAt }, purpose, onClose }: LinkDialogProps) {
  const t = useTranslations('staff.link')
  const times = useTimes()
  return (
    <SecretDialog
      title={t(`${purpose}.title`)}
      label={t('label')}
      secret={`${location.origin}/invite?${new URLSearchParams({ token })}`}
      onClose={onClose}
    >
      {t(`${purpose}.means`, { time: times.exact(expiresAt) })}
    </SecretDialog>
  )
}
