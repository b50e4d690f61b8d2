'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { IN_BOLD } from '#components/ui/in-bold.tsx'
import { initialsOf } from '#components/ui/initials.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { useLease } from './use-lease.ts'

const DISC =
  'inline-grid size-5 shrink-0 place-items-center rounded-full text-[9px] leading-none font-bold forced-colors:border'
const OTHER = 'border border-info bg-info-tint text-info'
const OWN = 'bg-ink text-surface forced-colors:bg-[Canvas] forced-colors:text-[CanvasText]'

/** On a row: the initials of the person viewing it, with a ring; this person's own are filled, and unsaid, as that row has the focus. */
export function LeaseAvatar({ subject }: { subject: Subject }) {
  const t = useTranslations('leases')
  const lease = useLease(subject)
  const isOwn = useIsOwn()
  if (!lease) return null
  const { userId, displayName } = lease.holder
  const isMine = isOwn(userId)
  const label = isMine ? t('you') : t('other', { who: displayName })
  return (
    <span
      {...(isMine ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      title={label}
      className={`${DISC} ${isMine ? OWN : OTHER}`}
    >
      <span aria-hidden>{initialsOf(displayName)}</span>
    </span>
  )
}

/** Under the item, so that its text stays where it is: who else is viewing it. It informs and never blocks. */
export function LeaseLine({ subject }: { subject: Subject }) {
  const t = useTranslations('leases')
  const lease = useLease(subject)
  const isOwn = useIsOwn()
  if (!lease || isOwn(lease.holder.userId)) return null
  const { displayName } = lease.holder
  return (
    <p className="flex shrink-0 items-center gap-2 border-t border-line ps-5 pe-3 py-1.5 text-small text-ink-2 phone:ps-3">
      <span aria-hidden className={`${DISC} ${OTHER}`}>
        {initialsOf(displayName)}
      </span>
      <span>{t.rich('line', { ...IN_BOLD, who: displayName })}</span>
    </p>
  )
}

function useIsOwn(): (userId: string) => boolean {
  const { data: me } = useQuery(useTRPC().access.me.queryOptions())
  return (userId) => userId === me?.userId
}
