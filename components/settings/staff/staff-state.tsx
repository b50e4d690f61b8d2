'use client'
import { Ban, CircleOff, MailQuestion } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Badge } from '#components/ui/badge.tsx'
import type { StaffState as Name } from '#server/modules/accounts/staff/schema.ts'

const ICONS = { invited: MailQuestion, off: CircleOff, banned: Ban }

/** A badge for an account that isn't simply active. */
export function StaffState({ state }: { state: Name }) {
  const t = useTranslations('staff.states')
  if (state === 'active') return t('active')
  const Icon = ICONS[state]
  return (
    <Badge look={state === 'invited' ? 'plain' : 'reject'}>
      <Icon />
      {t(state)}
    </Badge>
  )
}
