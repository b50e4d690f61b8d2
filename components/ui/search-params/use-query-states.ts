'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { type Change, type inferParserType, type Parsers, parseAll, serializeAll } from './parsers.ts'
import { acceptRendered, changesOf, queueChange, subscribe } from './pending-changes.ts'

interface Options {
  /** `push` adds an entry to the browser's history. */
  history?: 'replace' | 'push'
  /** Leaves the URL as it is until the next change that isn't deferred. */
  isDeferred?: boolean
}

/**
 * The values in the URL's query, and a function that changes some of them, or clears all with null. A change applies immediately; the URL
 * follows. `parsers` is a constant.
 */
export function useQueryStates<Map extends Parsers>(parsers: Map, { history: usual = 'replace' }: Options = {}) {
  const params = useSearchParams()
  const path = usePathname()
  const keys = Object.keys(parsers)
  const changes = useSyncExternalStore(
    subscribe,
    () => JSON.stringify(changesOf(path, keys)),
    () => '{}',
  )
  const texts = JSON.stringify({
    ...Object.fromEntries(keys.map((key) => [key, params.get(key)])),
    ...JSON.parse(changes),
  })
  const values: inferParserType<Map> = useMemo(() => {
    const read: Record<string, string | null> = JSON.parse(texts)
    return parseAll(parsers, (key) => read[key] ?? null)
  }, [parsers, texts])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the router has rendered a URL when its parameters change
  useEffect(() => acceptRendered(), [params])

  const set = useCallback(
    (change: Change<Map> | null, { history = usual, isDeferred = false }: Options = {}): void => {
      const cleared = () => Object.fromEntries(Object.keys(parsers).map((key) => [key, null]))
      queueChange(change === null ? cleared() : serializeAll(parsers, change), { history, isDeferred })
    },
    [parsers, usual],
  )
  return [values, set] as const
}
