'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { forgetDraft, keepDraft, readDraft } from './drafts.ts'
import { textOf } from './hold-keys.ts'

/**
 * Text that survives closing the same dialog for the same item, a reload and the end of the session, followed by what was typed while the
 * dialog loaded; or the initial text. Cleared once it is sent.
 */
export function useDraft(
  name: string,
  { words: given, typed }: { words?: string | undefined; typed: string[] },
): [string, (words: string) => void, () => void] {
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const [words, setWords] = useState(() => {
    const begun = textOf(typed)
    const text = given ?? (readDraft(me.userId, name).words ?? '') + begun
    if (begun !== '') keepDraft(me.userId, name, { words: text })
    return text
  })
  function write(text: string): void {
    setWords(text)
    keepDraft(me.userId, name, { words: text })
  }
  return [words, write, () => forgetDraft(me.userId, name)]
}
