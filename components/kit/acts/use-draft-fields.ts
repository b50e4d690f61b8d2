'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { forgetDraft, keepDraft, readDraft } from './drafts.ts'

/**
 * Text fields of a form that survive closing it, a reload and the end of the session, until `forget` is called: once it is sent, or where
 * closing it discards changes. `form` names the form and what it is about.
 */
export function useDraftFields<Fields extends Record<string, string>>(
  form: string,
  initial: Fields,
): { fields: Fields; write: (changed: Partial<Fields>) => void; forget: () => void } {
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const [fields, setFields] = useState<Fields>(() => ({ ...initial, ...readDraft(me.userId, form) }))
  return {
    fields,
    write: (changed) => {
      const next = { ...fields, ...changed }
      setFields(next)
      keepDraft(me.userId, form, next)
    },
    forget: () => forgetDraft(me.userId, form),
  }
}
