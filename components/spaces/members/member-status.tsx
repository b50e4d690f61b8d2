'use client'
import { Ban, MicOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import type { DeskMember, Sanction } from '#server/modules/desk/spaces/schema.ts'

/** A member's state; for a ban or mute, also by whom, when, why and until when. */
export function MemberStatus({ member }: { member: DeskMember }) {
  const t = useTranslations('members')
  const { ban, mute, membership, isDeleted, isGlobalBan } = member
  return (
    <span className="block py-0.5">
      <span className="flex flex-wrap gap-1">
        {ban && (
          <Badge look="reject">
            <Ban />
            {t('banned')}
          </Badge>
        )}
        {mute && (
          <Badge look="warn">
            <MicOff />
            {t('muted')}
          </Badge>
        )}
        {isGlobalBan && (
          <Badge look="reject">
            <Ban />
            {t('bannedEverywhere')}
          </Badge>
        )}
        {isDeleted && <Badge>{t('deleted')}</Badge>}
        {!ban && !mute && !isGlobalBan && !isDeleted && <Plain membership={membership} />}
      </span>
      {ban && <SanctionLine sanction={ban} />}
      {mute && <SanctionLine sanction={mute} />}
    </span>
  )
}

/** The status of those with no sanction. On a phone, being a member goes without saying. */
function Plain({ membership }: Pick<DeskMember, 'membership'>) {
  const t = useTranslations('members')
  return membership === 'member' ? <span className="phone:sr-only">{t('member')}</span> : t('outside')
}

function SanctionLine({ sanction: { by, at, endsAt, reason } }: { sanction: Sanction }) {
  const t = useTranslations('members')
  const ui = useTranslations('ui')
  const times = useTimes()
  const span = useSpan()
  const left = endsAt === undefined ? 0 : Date.parse(endsAt) - times.now
  const parts = [
    at === undefined ? t('noRecord') : t('madeBy', { who: by ?? t('somebody'), time: times.exact(at) }),
    ...(reason ? [reason] : []),
    endsAt === undefined ? t('untilLifted') : t('until', { time: times.exact(endsAt), left: span(Math.max(0, left)) }),
  ]
  return <span className="block text-small wrap-anywhere text-ink-2">{parts.join(ui('semicolon'))}</span>
}
