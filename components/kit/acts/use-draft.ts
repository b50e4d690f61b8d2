'use client'
import { useEffect, useState } from 'react'

/** What was written and not sent, for as long as this page is open. */
const drafts = new Map<string, string>()

/**
 * Words that are still there when the same dialog is opened again for the same thing, with what was typed while it was on its way;
 * or those it was opened with. Forgotten once they are sent.
 */
export function useDraft(
  name: string,
  { words: given, typed }: { words?: string | undefined; typed: string[] },
): [string, (words: string) => void, () => void] {
  const [words, write] = useState(() => given ?? (drafts.get(name) ?? '') + toText(typed))
  useEffect(() => void drafts.set(name, words), [name, words])
  return [words, write, () => drafts.delete(name)]
}

const toText = (keys: string[]) => keys.filter((key) => key.length === 1).join('')
