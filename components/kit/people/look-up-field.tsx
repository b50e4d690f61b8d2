'use client'
import { Search } from 'lucide-react'
import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { QUERY_LENGTH } from '../addresses/users-search.ts'

interface LookUpFieldProps {
  ref: RefObject<HTMLInputElement | null>
  /** What to type, as a label. */
  label: string
  value: string
  onChange: (query: string) => void
  onEnter: () => void
}

/** A search field; Enter opens the best match. */
export function LookUpField({ ref, label, value, onChange, onEnter }: LookUpFieldProps) {
  // The field has the focus before the page is hydrated: what was typed by then would be overwritten.
  const keepTyped = useEffectEvent(() => {
    if (ref.current && ref.current.value !== value) onChange(ref.current.value)
  })
  useLayoutEffect(() => keepTyped(), [])

  return (
    <search className="mx-[18px] mb-2 flex h-9 max-w-150 shrink-0 items-center gap-2 rounded-2 border border-line-control bg-raised px-2.5 text-ink-3 focus-within:border-focus focus-within:outline-2 focus-within:outline-focus coarse:h-11 phone:mx-3 phone:h-11">
      <Search />
      <input
        ref={ref}
        type="search"
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: searching is the purpose of the page
        autoFocus
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-keyshortcuts={useShortcut('search')}
        placeholder={label}
        maxLength={QUERY_LENGTH}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter()
        }}
        className="w-full min-w-0 bg-transparent text-ink outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
      />
    </search>
  )
}
