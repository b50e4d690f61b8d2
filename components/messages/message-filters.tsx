'use client'
import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { KINDS, MESSAGE_TAG_LENGTH } from '#components/kit/addresses/messages-search.ts'
import { DaysChips } from '#components/kit/filters/days-chips.tsx'
import { TagChips } from '#components/kit/filters/tag-chips.tsx'
import { LookUpField } from '#components/kit/people/look-up-field.tsx'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'
import { AuthorChips } from './author-chips.tsx'
import { ChannelChip } from './channel-chip.tsx'
import type { Messages } from './use-messages.ts'

interface MessageFiltersProps {
  ref: RefObject<HTMLInputElement | null>
  found: Messages
  /** Called when Enter is pressed in the search field. */
  onEnter: () => void
}

/** The search words and filters. */
export function MessageFilters({ ref, found, onEnter }: MessageFiltersProps) {
  const t = useTranslations('messages')
  const spaces = useTranslations('spaces')
  const { search, narrow } = found
  const left = KINDS.filter((kind) => !search.types.includes(kind))
  const hasDays = search.startDate !== null || search.endDate !== null
  return (
    <div className="shrink-0 pt-3">
      <LookUpField
        ref={ref}
        label={t('lookUp')}
        value={search.query}
        onChange={(query) => narrow({ query })}
        onEnter={onEnter}
      />
      <div className="flex flex-wrap items-center gap-1.5 px-[18px] pb-1.5 phone:px-3">
        <NativeButton
          aria-pressed={search.isExact === true}
          onPress={() => narrow({ isExact: search.isExact ? null : true })}
          className="inline-flex h-6 items-center rounded-2 border border-dashed border-line-control px-2 whitespace-nowrap text-ink-2 hover:bg-hover coarse:h-9 aria-pressed:border-solid aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:font-firm aria-pressed:text-ink forced-colors:aria-pressed:outline-2"
        >
          {t('exact')}
        </NativeButton>
        <ChannelChip found={found} />
        <AuthorChips found={found} />
        {search.types.map((kind) => (
          <Chip
            key={kind}
            onRemove={() => narrow({ types: search.types.filter((one) => one !== kind) })}
            removeLabel={spaces('without', { what: t(`kinds.${kind}`) })}
          >
            <span className="px-2">{t(`kinds.${kind}`)}</span>
          </Chip>
        ))}
        {left.length > 0 && (
          <Chip>
            <ChoiceMenu
              label={t('kind')}
              choices={left.map((id) => ({ id, label: t(`kinds.${id}`) }))}
              chosen=""
              onChoose={(kind) => kind !== '' && narrow({ types: [...search.types, kind] })}
            >
              <ChipButton>{search.types.length === 0 ? t('anyKind') : t('orKind')}</ChipButton>
            </ChoiceMenu>
          </Chip>
        )}
        <TagChips
          label={t('tag')}
          tags={search.tags}
          maxLength={MESSAGE_TAG_LENGTH}
          onChange={(tags) => narrow({ tags })}
        />
        <DaysChips
          days={search}
          onChoose={narrow}
          onZone={(timeZone) => narrow({ timeZone })}
          onRemove={() => narrow({ startDate: null, endDate: null, timeZone: null })}
          isZoneShown={hasDays}
        />
      </div>
    </div>
  )
}
