'use client'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { PolicyTitle } from '#components/kit/policies/policy-title.tsx'
import { useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { useBanMessage } from '#components/kit/sanctions/use-ban-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { STRIKE_DAYS } from '#server/modules/network/policies/schema.ts'
import type { Person, PersonLists } from '#server/modules/people/schema.ts'
import type { TreatmentKind } from '#server/modules/spaces/author-treatments/schema.ts'

/** The most important facts: active sanctions, pending items, decisions, and flags. */
export function AnswerLine({ person }: { person: Person }) {
  const t = useTranslations('users')
  const format = useFormatter()
  const standing = useStanding(person)
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  return (
    <dl className="grid auto-cols-fr grid-flow-col rounded-3 border border-line-strong max-[900px]:grid-flow-row max-[900px]:grid-cols-2">
      <Answer name={t('standing')}>
        {standing}
        <NetworkBan person={person} />
      </Answer>
      <Answer name={t('heldNow')}>
        {me.reviews ? <HeldNow userId={person.user.userId} /> : format.number(person.itemCounts.held)}
      </Answer>
      <Answer name={t('decisionsOnThem')}>{t('standingDecisions', person.itemCounts)}</Answer>
      <Answer name={t('flagsOn')}>{useAtLeast(person.flagsOn)}</Answer>
      <Answer name={t('flagsBy')}>{useAtLeast(person.flagsBy)}</Answer>
    </dl>
  )
}

function Answer({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 border-s border-line px-3.5 py-2.5 first:border-s-0 max-[900px]:border-s-0 max-[900px]:odd:border-e max-[900px]:nth-[n+3]:border-t max-[900px]:odd:last:col-span-2 max-[900px]:odd:last:border-e-0">
      <dt className="text-small text-ink-3">{name}</dt>
      <dd className="text-large font-firm wrap-anywhere text-ink">{children}</dd>
    </div>
  )
}

/** Links to the person's pending items that the viewer reviews. */
function HeldNow({ userId }: { userId: string }) {
  const t = useTranslations('users')
  const { data } = useQuery(useTRPC().review.matching.queryOptions({ authorId: userId }))
  if (!data) return <span className="text-ink-3">…</span>
  if (data.count === 0) return t('noneHeld')
  return (
    <Link href={toQueuePath({ authorId: userId })}>
      {t(data.isLowerBound ? 'manyHeld' : 'held', { count: data.count })}
    </Link>
  )
}

/** The number of flags on the first page, or "or more" if there are further pages. */
function useAtLeast({ items, next }: PersonLists['flagsOn']): string {
  const t = useTranslations('users')
  const format = useFormatter()
  return next === undefined ? format.number(items.length) : t('orMore', { count: items.length })
}

/** Says until when somebody is banned everywhere, by whom and why. */
function NetworkBan({ person: { bans } }: { person: Person }) {
  const messageOf = useBanMessage()
  const ban = bans.items.find(({ space, liftedAt }) => space.scope === 'network' && liftedAt === undefined)
  if (!ban) return null
  const { by, ...terms } = ban
  const { until, who } = messageOf({ ...terms, ...(by && { by: by.displayName }) })
  return (
    <span className="block text-small font-normal text-ink-3">
      {until}
      {who && <span className="block">{who}</span>}
      {ban.policyId && <PolicyTitle policyId={ban.policyId} />}
    </span>
  )
}

/** The person's active sanctions, in a sentence. */
function useStanding({ user, bans, communities, channels, treatments, strikes }: Person): string {
  const t = useTranslations('users.standings')
  const ui = useTranslations('ui')
  const format = useFormatter()
  const inForce = bans.items.filter(({ liftedAt }) => liftedAt === undefined)
  const elsewhere = inForce.filter(({ space }) => space.scope !== 'network').map(({ space }) => space.displayName)
  const muted = [...communities.items, ...channels.items]
    .filter(({ mutedUntil }) => mutedUntil)
    .map(({ displayName }) => displayName)
  const spaceName = useSpaceName()
  const ofKind = (kind: TreatmentKind) => treatments.filter((treatment) => treatment.kind === kind).map(spaceName)
  const treatmentParts = (['hold', 'trust'] as const)
    .filter((kind) => ofKind(kind).length > 0)
    .map((kind) => t(kind, { spaces: format.list(ofKind(kind)) }))
  const parts = [
    ...(user.isDeleted ? [t('deleted')] : []),
    ...(user.isGlobalBan ? [t('everywhere')] : []),
    ...(elsewhere.length > 0 ? [t('bannedFrom', { spaces: format.list(elsewhere) })] : []),
    ...(muted.length > 0 ? [t('mutedIn', { spaces: format.list(muted) })] : []),
    ...treatmentParts,
    ...(strikes > 0 ? [t('strikes', { count: strikes, days: format.number(STRIKE_DAYS) })] : []),
  ]
  return parts.length > 0 ? parts.join(ui('semicolon')) : t('none')
}
