'use client'
import { Check, Search } from 'lucide-react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Input, SearchField } from 'react-aria-components/SearchField'
import type { Choice } from './choice-list.tsx'
import { MENU_ITEM } from './menu-item.ts'

interface SearchListProps {
  /** The label of the list. */
  label: string
  /** The label of the search field, such as "Find a time zone". */
  find: string
  choices: Choice<string>[]
  chosen: string | undefined
  onChoose: (id: string) => void
  /** The text for no results. */
  empty: string
  /** The search text, for a list that is searched elsewhere; without it, choices are filtered here. */
  typed?: { value: string; onChange: (value: string) => void }
}

/** Selects one of many, found by any part of its name. */
export function SearchList({ label, find, choices, chosen, onChoose, empty, typed }: SearchListProps) {
  const { contains } = useFilter({ sensitivity: 'base' })
  return (
    <Autocomplete
      {...(typed
        ? { inputValue: typed.value, onInputChange: typed.onChange }
        : { filter: (name: string, words: string) => contains(name, words.trim()) })}
    >
      <SearchField
        autoFocus
        aria-label={find}
        className="m-2 flex h-control items-center gap-2 rounded-2 border border-line-control bg-raised px-2 text-ink focus-within:outline-2 focus-within:outline-focus"
      >
        <Search />
        <Input
          placeholder={find}
          className="w-full min-w-0 outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
        />
      </SearchField>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        className="ring-inset h-[min(20rem,60vh)] overflow-auto border-t border-line"
      >
        <ListBox
          aria-label={label}
          items={choices}
          selectionMode="single"
          disallowEmptySelection={chosen !== undefined}
          selectedKeys={chosen === undefined ? [] : [chosen]}
          onSelectionChange={(keys) => {
            const [key = chosen] = keys === 'all' ? [] : keys
            if (key !== undefined) onChoose(String(key))
          }}
          renderEmptyState={() => <p className="px-3 py-2">{empty}</p>}
          className="p-1.5 outline-none"
        >
          {({ id, label, hint }) => (
            <ListBoxItem id={id} textValue={label} className={`${MENU_ITEM} hover:bg-hover`}>
              {({ isSelected }) => (
                <>
                  <span className="grid size-4 place-items-center">{isSelected && <Check className="size-3.5" />}</span>
                  <bdi className="min-w-0 flex-1 wrap-anywhere text-ink">{label}</bdi>
                  {hint && <span className="text-small text-ink-3">{hint}</span>}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </div>
    </Autocomplete>
  )
}
