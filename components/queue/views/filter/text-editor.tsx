'use client'
import { Search } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { WORDS_LENGTH } from '#components/kit/addresses/queue-search.ts'
import { Button } from '#components/ui/button.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'

/** Words to find in the text, ignoring case. */
export function TextEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  return (
    <form
      className="flex w-[min(21rem,calc(100vw-2rem))] items-center gap-2 p-2"
      action={(form) => onChoose({ text: String(form.get('words')).trim() || null })}
    >
      <span className="flex h-control flex-1 items-center gap-2 rounded-2 border border-line-control bg-raised px-2 text-ink focus-within:outline-2 focus-within:outline-focus">
        <Search />
        <input
          type="search"
          name="words"
          aria-label={t('titles.text')}
          placeholder={t('titles.text')}
          defaultValue={search.text ?? ''}
          maxLength={WORDS_LENGTH}
          // biome-ignore lint/a11y/noAutofocus: people open it in order to type
          autoFocus
          onFocus={({ target }) => target.select()}
          className="w-full min-w-0 outline-none placeholder:text-ink-3"
        />
      </span>
      <Button type="submit">{t('find')}</Button>
    </form>
  )
}
