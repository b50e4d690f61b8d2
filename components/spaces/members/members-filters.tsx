'use client'
import { Search } from 'lucide-react'
import type { Ref } from 'react'
import { useTranslations } from 'use-intl'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import type { SpaceRole } from '#server/modules/desk/spaces/schema.ts'
import { DELETED, FILTERS } from './members-search.ts'
import type { Members } from './use-members.ts'

interface MembersFiltersProps {
  ref: Ref<HTMLInputElement>
  roles: SpaceRole[]
  found: Pick<Members, 'search' | 'narrow'>
}

/** The filters of the members as a sentence of chips. */
export function MembersFilters({ ref, roles, found: { search, narrow } }: MembersFiltersProps) {
  const t = useTranslations('members')
  const spaces = useTranslations('spaces')
  const left = roles.filter(({ roleId }) => !search.roles.includes(roleId))
  const nameOf = (roleId: string) => roles.find((role) => role.roleId === roleId)?.displayName ?? roleId
  const notAll = search.filter === 'all' ? undefined : () => narrow({ filter: 'all' })
  return (
    <>
      <search className="flex h-control w-55 items-center gap-2 rounded-2 border border-line-control bg-raised px-2 text-ink-3 focus-within:border-focus focus-within:outline-2 focus-within:outline-focus phone:w-full">
        <Search />
        <input
          ref={ref}
          type="search"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          aria-label={t('lookUp')}
          aria-keyshortcuts={useShortcut('search')}
          placeholder={t('lookUp')}
          value={search.query}
          onChange={(event) => narrow({ query: event.target.value })}
          className="w-full min-w-0 bg-transparent text-ink outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
        />
      </search>
      <span className="phone:hidden">{t('showing')}</span>
      <Chip onRemove={notAll} removeLabel={t('filters.all')}>
        <ChoiceMenu
          label={t('membership')}
          choices={FILTERS.map((id) => ({ id, label: t(`filters.${id}`) }))}
          chosen={search.filter}
          onChoose={(filter) => narrow({ filter })}
        >
          <ChipButton>{t(`filters.${search.filter}`)}</ChipButton>
        </ChoiceMenu>
      </Chip>
      <span className="phone:hidden">{t('with')}</span>
      {search.roles.map((roleId) => (
        <Chip
          key={roleId}
          onRemove={() => narrow({ roles: search.roles.filter((one) => one !== roleId) })}
          removeLabel={spaces('without', { what: nameOf(roleId) })}
        >
          <span className="px-2">{nameOf(roleId)}</span>
        </Chip>
      ))}
      {left.length > 0 && (
        <Chip>
          <ChoiceMenu
            label={t('roles')}
            choices={left.map(({ roleId, displayName }) => ({ id: roleId, label: displayName }))}
            chosen=""
            onChoose={(roleId) => narrow({ roles: [...search.roles, roleId] })}
          >
            <ChipButton>{search.roles.length === 0 ? t('anyRole') : t('orRole')}</ChipButton>
          </ChoiceMenu>
        </Chip>
      )}
      <Chip>
        <ChoiceMenu
          label={t('deletedOrNot')}
          choices={DELETED.map((id) => ({ id, label: t(`deletions.${id}`) }))}
          chosen={search.deleted}
          onChoose={(deleted) => narrow({ deleted })}
        >
          <ChipButton>{t(`deletions.${search.deleted}`)}</ChipButton>
        </ChoiceMenu>
      </Chip>
      <span className="phone:hidden">{t(`sorts.${search.sort}`)}</span>
    </>
  )
}
