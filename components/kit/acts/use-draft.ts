'use client'
import { useEffect, useState } from 'react'

/** Unsent text, for as long as this page is open. */
const drafts = new Map<string, string>()

/**
 * Text that survives closing the same dialog for the same item, followed by what was typed while the dialog loaded; or the initial text.
 * Cleared once it is sent.
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
