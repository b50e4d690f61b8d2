'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { SPACES_SEARCH, toSpacesInput } from '#components/kit/addresses/spaces-search.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { TableColumn } from '#components/ui/data-table.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { Community } from '#server/modules/spaces/communities/schema.ts'
import { COMMUNITY } from '../space-kinds.ts'
import { SpacesPage } from '../spaces-page.tsx'

/** Communities, found by name or id while typing. */
export function CommunitiesPage() {
  const trpc = useTRPC()
  const [search, setSearch] = useQueryStates(SPACES_SEARCH)
  const list = useQuery(trpc.communities.list.queryOptions(toSpacesInput(search), KEEP_PREVIOUS))
  const columns = useColumns()

  return <SpacesPage kind={COMMUNITY} search={search} onSearch={setSearch} list={list} columns={columns} />
}

/** Pending counts are known for the communities the person reviews. */
function useColumns(): TableColumn<Community>[] {
  const t = useTranslations('communities')
  const format = useFormatter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const held = new Map(counts?.communities.map((one) => [one.communityId, one.held]))
  return [
    {
      id: 'holds',
      header: t('holds'),
      isBelowOnPhone: true,
      cell: ({ needApprovalOnCommentCreation, needApprovalOnPostCreation }) =>
        t('holdsWhat', {
          comments: String(needApprovalOnCommentCreation),
          posts: String(needApprovalOnPostCreation),
        }),
    },
    {
      id: 'held',
      header: t('held'),
      align: 'end',
      cell: ({ communityId }) => {
        const count = held.get(communityId)
        return count !== undefined && count > 0 ? (
          t('heldNow', { count })
        ) : (
          <span className="text-ink-3">{t('noneHeld')}</span>
        )
      },
    },
    {
      id: 'members',
      header: t('members'),
      align: 'end',
      hiddenOn: 'phone',
      cell: ({ membersCount }) => format.number(membersCount),
    },
    {
      id: 'moderators',
      header: t('moderators'),
      align: 'end',
      hiddenOn: 'narrow',
      cell: ({ moderatorMemberCount }) => format.number(moderatorMemberCount),
    },
  ]
}
