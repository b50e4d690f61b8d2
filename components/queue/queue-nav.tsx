'use client'
import { useQuery } from '@tanstack/react-query'
import { History, Inbox, SlidersHorizontal } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { CommunityCount } from '#server/modules/review/schema.ts'
import { toQueuePath } from './queue-search.ts'
import { useQueueFilter } from './use-queue-filter.ts'

/** The desk's navigation as far as it goes: the queue, and its communities, each with its exact count. */
export function QueueNav() {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { search } = useQueueFilter()
  const isQueue = usePathname() === '/queue'
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const total = counts && format.number(counts.total)

  return (
    <nav aria-label={t('label')} className="flex flex-col overflow-auto border-e border-line-strong py-2 phone:hidden">
      <NavLink
        href="/queue"
        current={isQueue ? 'page' : undefined}
        look="h-[30px] mx-2 aria-[current]:text-ink aria-[current]:font-bold narrow:justify-center narrow:aria-[current]:bg-selected"
      >
        <Inbox />
        <span className="narrow:sr-only">{t('queue')}</span>
        <span className="ms-auto text-small narrow:hidden">{total}</span>
      </NavLink>
      {isQueue && (
        <ul className="ms-[19px] mt-0.5 mb-1.5 border-s border-line-strong ps-[13px] narrow:hidden">
          <li>
            <NavLink href="/queue" current={isQueue && !search.communityId ? 'true' : undefined} look={SUB}>
              <span>{t('held')}</span>
              <Count>{total}</Count>
            </NavLink>
          </li>
          {counts?.communities.map((community) => (
            <li key={community.communityId}>
              <CommunityLink
                community={community}
                isCurrent={isQueue && search.communityId === community.communityId}
              />
            </li>
          ))}
        </ul>
      )}
      <NavLink
        href="/settings/preferences"
        current={isQueue ? undefined : 'page'}
        look="h-[30px] mx-2 aria-[current]:bg-selected aria-[current]:text-ink aria-[current]:font-bold narrow:justify-center"
      >
        <SlidersHorizontal />
        <span className="narrow:sr-only">{t('settings')}</span>
      </NavLink>
    </nav>
  )
}

const SUB = 'h-[26px] me-2 -ms-1 aria-[current]:bg-selected aria-[current]:text-ink aria-[current]:font-firm'

interface NavLinkProps {
  href: string
  current: 'page' | 'true' | undefined
  look: string
  title?: string | undefined
  children: ReactNode
}

function NavLink({ href, current, look, title, children }: NavLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={current}
      title={title}
      className={`flex items-center gap-[9px] rounded-2 px-2 text-ink-2 no-underline hover:bg-hover coarse:h-10 forced-colors:aria-[current]:outline-2 forced-colors:aria-[current]:-outline-offset-2 ${look}`}
    >
      {children}
    </Link>
  )
}

/** A community that no longer holds comments but still has some held is named as such. */
function CommunityLink({ community, isCurrent }: { community: CommunityCount; isCurrent: boolean }) {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { communityId, displayName, held, isHolding } = community
  const isBacklog = !isHolding && held > 0
  return (
    <NavLink
      href={toQueuePath({ communityId })}
      current={isCurrent ? 'true' : undefined}
      look={SUB}
      title={isBacklog ? t('backlog', { held }) : undefined}
    >
      <bdi className="min-w-0 truncate">{displayName}</bdi>
      <Count>
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
