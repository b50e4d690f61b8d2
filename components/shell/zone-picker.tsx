'use client'
import { Check, Search } from 'lucide-react'
import { useMemo } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { offsetOf, zoneNames } from '#components/i18n/zones.ts'

/** Every zone this browser knows, found by any part of its name. */
export function ZonePicker({ chosen, onChoose }: { chosen: string; onChoose: (zone: string) => void }) {
  const t = useTranslations('shell')
  const { contains } = useFilter({ sensitivity: 'base' })
  const now = useNow()
  const zones = useMemo(() => zoneNames().map((id) => ({ id, offset: offsetOf(id, now) })), [now])

  return (
    <Autocomplete filter={(zone, typed) => contains(zone, typed.trim().replaceAll(' ', '_'))}>
      <SearchField
        autoFocus
        aria-label={t('findZone')}
        className="m-2 flex h-control items-center gap-2 rounded-2 border border-line-control bg-raised px-2 text-ink focus-within:outline-2 focus-within:outline-focus"
      >
        <Search />
        <Input
          placeholder={t('findZone')}
          className="w-full min-w-0 outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
        />
      </SearchField>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="ring-inset h-80 overflow-auto border-t border-line"
      >
        <ListBox
          aria-label={t('chooseZone')}
          items={zones}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[chosen]}
          onSelectionChange={(keys) => keys !== 'all' && onChoose(String(keys.values().next().value ?? chosen))}
          renderEmptyState={() => <p className="px-3 py-2">{t('noSuchZone')}</p>}
          className="p-1.5 outline-none"
        >
          {({ id, offset }) => (
            <ListBoxItem
              id={id}
              textValue={id}
              className="flex min-h-8 cursor-default items-center gap-2 rounded-2 px-2 outline-none hover:bg-hover coarse:min-h-10 focus:bg-selected focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
            >
              {({ isSelected }) => (
                <>
                  <span className="grid size-4 place-items-center">{isSelected && <Check className="size-3.5" />}</span>
                  <span className="min-w-0 flex-1 wrap-anywhere text-ink">{id.replaceAll('_', ' ')}</span>
                  <span className="text-small text-ink-3">{offset}</span>
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </div>
    </Autocomplete>
  )
}
