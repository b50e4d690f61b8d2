'use client'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Chip } from '#components/ui/chip.tsx'

interface TagChipsProps {
  /** The label, such as "Tag". */
  label: string
  tags: string[]
  onChange: (tags: string[]) => void
  maxLength: number
}

/** Tags of which a result must have at least one: each a chip, with a field to add the next. */
export function TagChips({ label, tags, onChange, maxLength }: TagChipsProps) {
  const t = useTranslations('spaces')
  const [word, setWord] = useState('')

  function add(event: FormEvent): void {
    event.preventDefault()
    const tag = word.trim()
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag])
    setWord('')
  }
  return (
    <>
      {tags.map((tag) => (
        <Chip
          key={tag}
          onRemove={() => onChange(tags.filter((one) => one !== tag))}
          removeLabel={t('without', { what: tag })}
        >
          <bdi className="max-w-48 truncate px-2">{tag}</bdi>
        </Chip>
      ))}
      <form onSubmit={add}>
        <input
          aria-label={label}
          placeholder={label}
          dir="auto"
          autoComplete="off"
          value={word}
          maxLength={maxLength}
          onChange={(event) => setWord(event.target.value)}
          className="h-6 w-24 rounded-2 border border-dashed border-line-control bg-transparent px-2 text-ink placeholder:text-ink-3 coarse:h-9"
        />
      </form>
    </>
  )
}
