'use client'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useParams, usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSections } from '#components/kit/frame/use-sections.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** Where the page is: its section, and in a page about one person or space its name. The queue shows more. */
export function DeskWhere({ queue }: { queue: ReactNode }) {
  const t = useTranslations('nav')
  const path = usePathname()
  const name = useShownName()
  const { sections, current } = useSections()
  if (path === '/queue') return queue
  // A page of a section that the person may not open doesn't exist for them.
  const link = sections.find(({ section }) => section === current?.section)
  if (!link) return null
  const { section, href } = link
  if (path === href || section === 'settings') {
    return <p className="min-w-0 truncate ps-4 font-bold text-ink phone:ps-1">{t(section)}</p>
  }
  return (
    <nav aria-label={t('where')} className="flex min-w-0 items-center gap-1.5 ps-4 text-ink-3 phone:ps-1">
      <Link href={href} prefetch={false} className="text-ink-2 no-underline hover:underline phone:hidden">
        {t(section)}
      </Link>
      <span aria-hidden className="phone:hidden">
        /
      </span>
      <bdi aria-current="page" className="min-w-0 truncate font-bold text-ink">
        {name}
      </bdi>
    </nav>
  )
}

/** The name of what the page is about, as soon as the page has read it. */
function useShownName(): string | undefined {
  const trpc = useTRPC()
  const params = useParams<{ userId?: string; communityId?: string; channelId?: string }>()
  const idOf = (name: keyof typeof params) => decodeURIComponent(params[name] ?? '')
  const person = useQuery(trpc.users.read.queryOptions({ userId: idOf('userId') }, { enabled: false })).data
  const community = useQuery(
    trpc.communities.read.queryOptions({ communityId: idOf('communityId') }, { enabled: false }),
  ).data
  const channel = useQuery(trpc.channels.read.queryOptions({ channelId: idOf('channelId') }, { enabled: false })).data
  if (person) return nameOf(person.user)
  if (community) return community.community.displayName || community.community.communityId
  return channel && (channel.channel.displayName || channel.channel.channelId)
}
