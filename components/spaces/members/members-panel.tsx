'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { UserRoundX } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Pager } from '#components/ui/pager.tsx'
import type { MemberActs, MemberSpace, MembersCount, SpaceRole } from '#server/modules/desk/spaces/schema.ts'
import { MembersBar } from './members-bar.tsx'
import { MembersFilters } from './members-filters.tsx'
import { MembersTable } from './members-table.tsx'
import { useMemberActs } from './use-member-acts.tsx'
import { type Members, useMembers } from './use-members.ts'

interface MembersPanelProps {
  space: MemberSpace
  may: MemberActs
  roles: SpaceRole[]
  /** Renders the page head, given the button that adds people, if allowed. */
  head: (addPeople: ReactNode) => ReactNode
}

/** The members of a channel or community, and acts on them. */
export function MembersPanel({ space, may, roles, head }: MembersPanelProps) {
  const t = useTranslations('members')
  const field = useRef<HTMLInputElement>(null)
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const found = useMembers(space)
  const { members, chosen, list, count } = found
  const acts = useMemberActs({
    space,
    roles,
    chosen,
    onSearch: () => field.current?.focus(),
    clear: () => found.choose([]),
    readAgain: found.readAgain,
  })
  const isActedOn = may.ban || may.mute || may.remove || may.roles

  return (
    <>
      {head(may.add && <Button onPress={() => acts.act('add')}>{t('add')}</Button>)}
      <div className="flex min-h-[46px] shrink-0 flex-wrap items-center gap-1.5 border-b border-line-strong px-3 py-1.5">
        <MembersFilters ref={field} roles={roles} found={found} />
        <Pager shown={useShown(found, count)} {...found.pager} />
      </div>
      <QueryState query={list} />
      {members && members.length > 0 && (
        <MembersTable
          label={t('title')}
          members={members}
          roles={roles}
          found={found}
          isChosenFrom={isActedOn}
          opensPeople={me.opens.includes('users')}
        />
      )}
      {members?.length === 0 && !list.isPlaceholderData && (
        <EmptyState
          icon={<UserRoundX />}
          title={t('nobody')}
          act={<Button onPress={found.clear}>{t('showAll')}</Button>}
        >
          {t('nobodyText')}
        </EmptyState>
      )}
      <div className="sticky bottom-0 z-3 mt-auto">
        <div className="mx-auto w-full max-w-115 p-2 empty:hidden">
          <ActToast last={acts.last} onUndo={acts.undo} onDismiss={acts.dismiss} />
        </div>
        {chosen.length > 0 && (
          <MembersBar
            chosen={chosen}
            roles={roles}
            isPending={acts.isPending}
            onAct={acts.act}
            onClear={() => found.choose([])}
          />
        )}
      </div>
      {acts.dialog}
    </>
  )
}

/** "1–20 of 15,730". */
function useShown({ search, members }: Members, count: MembersCount | undefined): string | undefined {
  const t = useTranslations('members')
  const format = useFormatter()
  if (!count || !members) return undefined
  const all = count.isLowerBound ? t('atLeast', { count: count.count }) : format.number(count.count)
  if (members.length === 0) return t('none', { all })
  return t('shown', { from: search.from, to: search.from + members.length - 1, all })
}
