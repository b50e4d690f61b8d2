'use client'
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { toRulesPath } from '#components/kit/addresses/rules-search.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Banner } from '#components/ui/banner.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Page } from '#components/ui/page.tsx'
import type { DeskCommunity } from '#server/modules/desk/spaces/schema.ts'
import { COMMUNITY } from '../space-kinds.ts'
import { SpacePage } from '../space-page.tsx'

const CommunitySettings = lazyPart(
  () => import('./community-settings.tsx').then(({ CommunitySettings }) => CommunitySettings),
  { isPlain: true },
)

/** A community: its pending items, its members, and the settings that matter for moderation. */
export function CommunityPage({ communityId }: { communityId: string }) {
  const read = useQuery(useTRPC().communities.read.queryOptions({ communityId }))
  return (
    <Page>
      <QueryState query={read} />
      {read.data && <CommunityBody desk={read.data} />}
    </Page>
  )
}

function CommunityBody({ desk }: { desk: DeskCommunity }) {
  const t = useTranslations('communities')
  const times = useTimes()
  const { community, may, roles } = desk
  const { communityId } = community
  const rules = { href: toRulesPath({ communityId }), name: t('rulesTab'), isCurrent: false }
  return (
    <SpacePage
      kind={COMMUNITY}
      space={community}
      may={may}
      roles={roles}
      banner={may.review && <Backlog communityId={communityId} />}
      facts={t('facts', {
        isPublic: String(community.isPublic),
        day: times.date(community.createdAt),
        posts: community.postsCount,
      })}
      acts={(addPeople) => (
        <>
          {may.review && <ToQueue communityId={communityId} />}
          {addPeople}
        </>
      )}
      tab={{ id: 'settings', name: t('settingsTab'), content: <CommunitySettings desk={desk} /> }}
      tabs={(settings, members) => [members, settings, ...(may.rules ? [rules] : [])]}
    />
  )
}

/** The community's number of pending items, as the queue counts them. */
function useHeld(communityId: string) {
  const { data } = useQuery(useTRPC().review.counts.queryOptions())
  return data?.communities.find((one) => one.communityId === communityId)
}

function ToQueue({ communityId }: { communityId: string }) {
  const t = useTranslations('communities')
  const held = useHeld(communityId)?.held ?? 0
  return (
    <Link
      href={toQueuePath({ communityId })}
      prefetch={false}
      className="inline-flex h-control items-center gap-1.5 rounded-2 border border-line-strong bg-raised px-2.5 font-firm whitespace-nowrap text-ink no-underline hover:bg-hover"
    >
      <Inbox />
      {t('queue', { count: held })}
    </Link>
  )
}

/** Shown when holding is switched off and held items are left. */
function Backlog({ communityId }: { communityId: string }) {
  const t = useTranslations('communities')
  const held = useHeld(communityId)
  if (!held || held.isHolding || held.held === 0) return null
  return (
    <Banner
      kind="warn"
      acts={
        <Link href={toQueuePath({ communityId })} prefetch={false}>
          {t('workOff')}
        </Link>
      }
    >
      {t('backlog', { count: held.held })}
    </Banner>
  )
}
