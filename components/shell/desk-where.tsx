'use client'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import Link from 'next/link'
import { useParams, usePathname } from 'next/navigation'
import { type ReactNode, useSyncExternalStore } from 'react'
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

/**
 * The name of what the page is about, as soon as the page has read it. Looks into the cache: a query made here, before the page's data
 * arrives, would have none, and the page would request it again.
 */
function useShownName(): string | undefined {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const params = useParams<{ userId?: string; communityId?: string; channelId?: string }>()
  const idOf = (name: keyof typeof params) => decodeURIComponent(params[name] ?? '')

  function readName(): string | undefined {
    const person = queryClient.getQueryData(trpc.users.read.queryKey({ userId: idOf('userId') }))
    if (person) return nameOf(person.user)
    const community = queryClient.getQueryData(trpc.communities.read.queryKey({ communityId: idOf('communityId') }))
    if (community) return community.community.displayName || community.community.communityId
    const channel = queryClient.getQueryData(trpc.channels.read.queryKey({ channelId: idOf('channelId') }))
    return channel && (channel.channel.displayName || channel.channel.channelId)
  }
  return useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    readName,
    () => undefined,
  )
}
