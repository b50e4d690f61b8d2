'use client'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { History, Inbox } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ReactNode, useDeferredValue } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { NavLink, SUB } from '#components/kit/frame/nav-link.tsx'
import { SectionLinks } from '#components/kit/frame/section-links.tsx'
import { MissedTarget, useMissedTargetText } from '#components/kit/targets/missed-target.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { CommunityCount } from '#server/modules/review/queue/schema.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { usePlaces } from './use-places.ts'
import { ViewLinks } from './view-links.tsx'

/** The desk's navigation: the queue and its communities with exact counts, then the other sections. */
export function QueueNav() {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { search } = useQueueFilter()
  const isQueue = usePathname() === '/queue'
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const { states, views } = usePlaces()
  const isInView = views.some(({ isCurrent }) => isCurrent)
  const total = counts && format.number(counts.total)

  return (
    <nav aria-label={t('label')} className="flex flex-col overflow-auto border-e border-line-strong py-2 phone:hidden">
      {me.reviews && (
        <NavLink
          href="/queue"
          current={isQueue ? 'page' : undefined}
          look="h-[30px] mx-2 aria-[current]:text-ink aria-[current]:font-bold narrow:justify-center narrow:aria-[current]:bg-selected"
        >
          <Inbox />
          <span className="narrow:sr-only">{t('queue')}</span>
          {/* On the queue's pages "Held" below says it. */}
          {!isQueue && <span className="ms-auto text-small narrow:hidden">{total}</span>}
        </NavLink>
      )}
      {me.reviews && isQueue && (
        <ul className="ms-[19px] mt-0.5 mb-1.5 border-s border-line-strong ps-[13px] narrow:hidden">
          {states.map(({ path, label, count, isCurrent }) => (
            <li key={path}>
              <NavLink href={path} current={isCurrent ? 'true' : undefined} look={SUB}>
                <span>{label}</span>
                <Count>{count}</Count>
              </NavLink>
            </li>
          ))}
          {views.length > 0 && <Heading>{t('savedViews')}</Heading>}
          <ViewLinks />
          {counts && counts.communities.length > 0 && <Heading>{t('communities')}</Heading>}
          <CommunityLinks communities={counts?.communities ?? []} currentId={isInView ? null : search.communityId} />
        </ul>
      )}
      <SectionLinks />
    </nav>
  )
}

function Heading({ children }: { children: string }) {
  return <li className="mt-1.5 px-1 pb-0.5 text-small text-ink-3">{children}</li>
}

/** Must match `SUB`. */
const LINK_HEIGHT_PX = 26

/** About as many as the first screen shows; the HTML of hundreds would outweigh the rest of the page. */
const FIRST_LINKS = 24

/** The communities' links: those below the first screen are added after the page is hydrated, in a place that is kept for them. */
function CommunityLinks({ communities, currentId }: { communities: CommunityCount[]; currentId: string | null }) {
  const areAllShown = useDeferredValue(true, false)
  const ordered = inOrder(communities)
  const shown = areAllShown ? ordered : ordered.slice(0, FIRST_LINKS)
  return (
    <>
      {shown.map((community) => (
        <li key={community.communityId}>
          <CommunityLink community={community} isCurrent={currentId === community.communityId} />
        </li>
      ))}
      {shown.length < ordered.length && (
        <li aria-hidden style={{ height: (ordered.length - shown.length) * LINK_HEIGHT_PX }} />
      )}
    </>
  )
}

/** By name: as counts change, communities keep their places. */
function inOrder(communities: CommunityCount[]): CommunityCount[] {
  return communities.toSorted(
    (a, b) => a.displayName.localeCompare(b.displayName) || a.communityId.localeCompare(b.communityId),
  )
}

/** Marks a community that no longer holds new items but still has held ones. */
function CommunityLink({ community, isCurrent }: { community: CommunityCount; isCurrent: boolean }) {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { communityId, displayName, held, isHolding } = community
  const isBacklog = !isHolding && held > 0
  const missed = useMissedTargetText(communityId)
  return (
    <NavLink
      href={toQueuePath({ communityId })}
      current={isCurrent ? 'true' : undefined}
      look={SUB}
      title={isBacklog ? t('backlog', { held }) : (missed ?? displayName)}
    >
      <bdi className="min-w-0 truncate">{displayName}</bdi>
      <Count>
        <MissedTarget communityId={communityId} />
        {isBacklog && <History className="size-3.5" role="img" aria-label={t('backlog', { held })} />}
        {format.number(held)}
      </Count>
    </NavLink>
  )
}

function Count({ children }: { children: ReactNode }) {
  return (
    <span className="ms-auto flex items-center gap-1 text-small font-normal text-ink-3 in-aria-[current]:font-firm in-aria-[current]:text-ink">
      {children}
    </span>
  )
}
