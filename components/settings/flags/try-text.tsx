'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Field } from '#components/ui/field.tsx'
import type { TextTried } from '#server/modules/network/word-lists/schema.ts'

/** Tests a text: what would happen if somebody wrote it now, with the current lists and flags. */
export function TryText() {
  const t = useTranslations('flags')
  const errorMessageOf = useErrorMessage()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed)
  const tried = useQuery(useTRPC().lists.try.queryOptions(text.trim() === '' ? skipToken : { text }, KEEP_PREVIOUS))
  return (
    <section aria-label={t('try')} className="mt-5">
      <Field
        label={t('try')}
        dir="auto"
        autoComplete="off"
        maxLength={5_000}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p
        aria-live="polite"
        className="mt-1.5 flex min-h-9 flex-wrap items-center gap-x-1.5 rounded-2 bg-sunken px-2.5 py-1.5 text-small wrap-anywhere"
      >
        {text.trim() === '' && t('tryHint')}
        {text.trim() !== '' && tried.error && errorMessageOf(tried.error)}
        {text.trim() !== '' && tried.data && <Outcome tried={tried.data} />}
      </p>
    </section>
  )
}

function Outcome({ tried: { isRefused, blockedBy, foreign } }: { tried: TextTried }) {
  const t = useTranslations('flags')
  const code = (words: ReactNode) => <code className="font-code text-ink">{words}</code>
  return (
    <>
      <span className={`inline-flex items-center gap-1 font-firm ${isRefused ? 'text-reject' : 'text-approve'}`}>
        {isRefused ? <X className="size-3.5" /> : <Check className="size-3.5" />}
        {t(isRefused ? 'refused' : 'passes')}
      </span>{' '}
      {blockedBy !== undefined && t.rich('blockedBy', { rule: blockedBy, code })}{' '}
      {foreign && t.rich(foreign.isRefused ? 'foreign' : 'wouldBeForeign', { link: foreign.link, code })}
    </>
  )
}
